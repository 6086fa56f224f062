"""File systems of other machines, where processes share no memory through files."""

import os
import re
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_KINDS = {
    *(
        "nfs",
        "nfs4",
        "cifs",
        "smb3",
        "smbfs",
        "afs",
        "ceph",
        "lustre",
        "gpfs",
        "beegfs",
        "orangefs",
    ),
    *("pvfs2", "panfs", "9p", "fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "glusterfs"),
}
"""Types of network file systems, as Linux names them."""
_ESCAPED = re.compile(r"\\([0-7]{3})")


def is_on_network(folder: Path, mounts: Path = _MOUNTS) -> bool:
    """True if `folder`, which exists, lies on a file system of another machine.

    Args:
        folder: the folder.
        mounts: the table of mounts in the form of Linux (proc(5)); without it the answer is false.
    """
    place = os.path.realpath(folder)
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return False
    found = ("", "")
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, kind = before.split(), after.split()
        if len(fields) > 4 and kind:  # noqa: PLR2004 - the fifth field is the place
            root = _ESCAPED.sub(lambda code: chr(int(code[1], 8)), fields[4])
            inside = place == root or place.startswith(f"{root.rstrip('/')}/")
            # The last of equal places hides those before it.
            if inside and len(root) >= len(found[0]):
                found = root, kind[0]
    return found[1] in _KINDS

"""Cells, bytes on the line and largest goodput of an ADSL line by encapsulation."""

from cellway.theory import Encapsulation, encapsulated, goodput_ceiling

LINE = 20e6
"""Bit/s of cells."""
ENCAPSULATIONS: tuple[Encapsulation, ...] = ("aal5_vc", "aal5_llc", "pppoa_vc", "pppoe_llc")


def main() -> None:
    """Prints a row for each encapsulation, with segments that fill its packets."""
    for name in ENCAPSULATIONS:
        segment = 1452 if name.startswith("pppoe") else 1460
        packet = encapsulated(name, segment)
        goodput = goodput_ceiling(LINE, name, segment)
        print(
            f"{name:>10}: {packet.cells} cells, {packet.data_part:.1%} data, "
            f"at most {goodput / 1e6:.2f} Mbit/s"
        )


if __name__ == "__main__":
    main()

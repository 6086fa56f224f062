# CUBIC over a line that never queues: ns cubic.tcl DELAY LOST SECONDS STEP WINDOWS. LOST is a list
# of packets by number from 0; WINDOWS gets an instant and cwnd in segments on each line.
foreach {delay lost end step windows} $argv {}
set ns [new Simulator]
set file [open $windows w]
set left [$ns node]
set right [$ns node]
$ns simplex-link $left $right 10Gb $delay DropTail
$ns simplex-link $right $left 100Gb $delay DropTail
$ns queue-limit $left $right 1000000
set sender [new Agent/TCP/Linux]
foreach {name value} {packetSize_ 1000 useHeaders_ 0 window_ 100000 timestamps_ true} {
    $sender set $name $value
}
set receiver [new Agent/TCPSink/Sack1]
$receiver set ts_echo_rfc1323_ true
$ns attach-agent $left $sender
$ns attach-agent $right $receiver
$ns connect $sender $receiver
set losses [new ErrorModel/List]
$losses droplist $lost
$losses drop-target [new Agent/Null]
$ns link-lossmodel $losses $left $right
set source [new Application/FTP]
$source attach-agent $sender
$ns at 0 "$sender select_ca cubic"
# 717 of 1024 is 0.7; that kernel had 819.
$ns at 0 "$sender set_ca_default_param cubic beta 717"
$ns at 0.0001 "$source start"
proc sample {} {
    global ns sender file step
    puts $file "[$ns now] [$sender set cwnd_]"
    $ns at [expr [$ns now] + $step] sample
}
$ns at $step sample
$ns at $end { close $file; exit 0 }
$ns run

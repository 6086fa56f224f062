# Connections over lines of their own: ns lines.tcl CONNECTIONS TRACE. A line of the file is a list:
# agent, sink, settings of the agent, ssthresh in segments, packets that the line loses, by number
# from 0, and seconds.
set ns [new Simulator]
set trace [open [lindex $argv 1] w]
set end 0
set connections [open [lindex $argv 0]]
while {[gets $connections connection] >= 0} {
    foreach {agent sink settings ssthresh drops seconds} $connection {}
    set left [$ns node]
    set right [$ns node]
    $ns simplex-link $left $right 8Mb 50ms DropTail
    $ns simplex-link $right $left 100Gb 50ms DropTail
    $ns queue-limit $left $right 100000
    $ns trace-queue $left $right $trace
    $ns trace-queue $right $left $trace
    set sender [new Agent/$agent]
    foreach {name value} $settings { $sender set $name $value }
    set receiver [new Agent/$sink]
    if {[string match *DelAck $sink]} {
        $receiver set interval_ 200ms
        # Segment 0 is no SYN.
        $receiver set SYN_immediate_ack_ false
    }
    $ns attach-agent $left $sender
    $ns attach-agent $right $receiver
    $ns connect $sender $receiver
    if {[llength $drops]} {
        set losses [new ErrorModel/List]
        $losses droplist $drops
        $losses drop-target [new Agent/Null]
        $ns link-lossmodel $losses $left $right
    }
    set source [new Application/FTP]
    $source attach-agent $sender
    # Nodes reset their agents when the run begins: ssthresh is set after that.
    $ns at 0 "$sender set ssthresh_ $ssthresh; $source start"
    if {$seconds > $end} { set end $seconds }
}
$ns at $end { close $trace; exit 0 }
$ns run

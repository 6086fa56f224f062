# XCP over one line: ns xcp.tcl SECONDS FROM FLOWS QUEUE GOODPUT. FLOWS is a list of pairs, the
# one-way delay of the access in ms and the start in s. QUEUE gets the mean number of packets that
# wait from FROM on, GOODPUT the bytes that each sink has got by FROM and by SECONDS.
foreach {end from flows queue goodput} $argv {}
set ns [new Simulator]
set near [$ns node]
set far [$ns node]
$ns simplex-link $near $far 10Mb 10ms XCP
$ns simplex-link $far $near 1Gb 10ms DropTail
$ns queue-limit $near $far 2000
$ns queue-limit $far $near 100000
set line [[$ns link $near $far] queue]
$line set-link-capacity 10e6
# The mean over time of the length of its queue, by ns-2's own integral.
set monitor [$ns monitor-queue $near $far [open /dev/null w]]
set area [$monitor get-pkts-integrator]
set sinks {}
foreach {delay start} $flows {
    set left [$ns node]
    set right [$ns node]
    $ns duplex-link $left $near 1Gb ${delay}ms DropTail
    $ns duplex-link $far $right 1Gb 0.001ms DropTail
    $ns queue-limit $left $near 100000
    set sender [new Agent/TCP/Reno/XCP]
    set sink [new Agent/TCPSink/XCPSink]
    # 40 bytes of headers come on top; those of XCP are not counted there.
    foreach {name value} {packetSize_ 1460 window_ 10000 maxcwnd_ 10000 windowInit_ 1} {
        $sender set $name $value
    }
    $ns attach-agent $left $sender
    $ns attach-agent $right $sink
    $ns connect $sender $sink
    set source [new Application/FTP]
    $source attach-agent $sender
    $ns at $start "$source start"
    lappend sinks $sink
    lappend senders $sender
}
proc acked {} {
    global senders
    set found {}
    foreach one $senders { lappend found [$one set ack_] }
    return $found
}
proc begin {} {
    global before area at_begin ns
    $area newpoint [$ns now] [$area set lasty_]
    set at_begin [$area set sum_]
    set before [acked]
}
proc finish {} {
    global before area at_begin ns from end queue goodput
    $area newpoint [$ns now] [$area set lasty_]
    set file [open $queue w]
    puts $file [expr ([$area set sum_] - $at_begin) / ($end - $from)]
    close $file
    set file [open $goodput w]
    foreach first $before last [acked] { puts $file [expr $last - $first] }
    close $file
    exit 0
}
$ns at $from begin
$ns at $end finish
$ns run

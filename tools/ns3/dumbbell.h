// Greedy TCPs through one queue, in ns-3.44: the paths of paths.py, compiled when loaded.

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"

#include <sstream>
#include <vector>

using namespace ns3;

/// Time mean of a number of packets, from the end of the warm-up on.
struct TimeMean
{
    double sum = 0.0, since = 0.0, from = 0.0;
    uint32_t value = 0;

    void Change(uint32_t next)
    {
        const double now = Simulator::Now().GetSeconds();
        if (now > from)
        {
            sum += value * (now - std::max(since, from));
        }
        since = now;
        value = next;
    }
};

/// An end of the line: the packets that wait there, and drops after the warm-up.
struct End
{
    TimeMean disc, device;
    uint64_t drops = 0;

    double Waiting(double measured)
    {
        disc.Change(0);
        device.Change(0);
        return (disc.sum + device.sum) / measured;
    }
};

static End g_there, g_back;
static double g_warmUp;
static std::vector<Ptr<PacketSink>> g_sinks;
static std::vector<uint64_t> g_before;

void OnChange(TimeMean* mean, uint32_t, uint32_t next) { mean->Change(next); }

void OnDrop(End* end, Ptr<const QueueDiscItem>)
{
    end->drops += Simulator::Now().GetSeconds() > g_warmUp;
}

void OnWarmUpEnd()
{
    for (const auto& sink : g_sinks)
    {
        g_before.push_back(sink->GetTotalRx());
    }
}

/// SACK, no timestamps, and a recovery without proportional rate reduction.
void SetTcp(uint32_t window, uint32_t segmentsPerAck)
{
    const std::string socket = "ns3::TcpSocketBase::";
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpClassicRecovery"));
    Config::SetDefault(socket + "Timestamp", BooleanValue(false));
    Config::SetDefault(socket + "Sack", BooleanValue(true));
    Config::SetDefault(socket + "ClockGranularity", TimeValue(MilliSeconds(1)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1460));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(segmentsPerAck));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 * window));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(window));
    Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(false));
}

std::string Packets(uint32_t count)
{
    return std::to_string(count) + "p";
}

/// The queue of an end of the bottleneck; its traces are read.
void Install(const std::string& disc, uint32_t buffer, Ptr<NetDevice> device, End* end)
{
    *end = End{};
    end->disc.from = end->device.from = g_warmUp;
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::" + disc, "MaxSize", StringValue(Packets(buffer)));
    Ptr<QueueDisc> queue = helper.Install(device).Get(0);
    queue->TraceConnectWithoutContext("PacketsInQueue", MakeBoundCallback(&OnChange, &end->disc));
    queue->TraceConnectWithoutContext("Drop", MakeBoundCallback(&OnDrop, end));
    auto below = DynamicCast<PointToPointNetDevice>(device)->GetQueue();
    below->TraceConnectWithoutContext("PacketsInQueue",
                                      MakeBoundCallback(&OnChange, &end->device));
}

void SetRate(Ptr<NetDevice> device, double megabits)
{
    device->SetAttribute("DataRate", DataRateValue(DataRate(uint64_t(megabits * 1e6))));
}

/// A greedy sender of a law, and its sink.
void AddFlow(Ptr<Node> from, Ptr<Node> to, Ipv4Address address, std::string law, double start)
{
    const std::string tcp = "ns3::TcpSocketFactory";
    PacketSinkHelper sink(tcp, InetSocketAddress(Ipv4Address::GetAny(), 5000));
    g_sinks.push_back(DynamicCast<PacketSink>(sink.Install(to).Get(0)));
    BulkSendHelper bulk(tcp, InetSocketAddress(address, 5000));
    bulk.SetAttribute("SendSize", UintegerValue(14600));
    from->GetObject<TcpL4Protocol>()->SetAttribute(
        "SocketType", TypeIdValue(TypeId::LookupByName("ns3::" + law)));
    bulk.Install(from).Start(Seconds(start));
}

/// Queues, drops and goodputs of the measured seconds, as JSON.
std::string Found(double measured, bool twoWay)
{
    std::ostringstream out;
    out.precision(10);
    out << "{\"waiting\": " << g_there.Waiting(measured) << ", \"drops\": " << g_there.drops;
    if (twoWay)
    {
        out << ", \"waiting_up\": " << g_back.Waiting(measured)
            << ", \"drops_up\": " << g_back.drops;
    }
    out << ", \"goodput\": [";
    for (size_t flow = 0; flow < g_sinks.size(); flow++)
    {
        const uint64_t bytes = g_sinks[flow]->GetTotalRx() - g_before[flow];
        out << (flow ? ", " : "") << 8e-6 * bytes / measured;
    }
    out << "]}";
    return out.str();
}

/// `waiting` in packets, `drops`, and `goodput` by flow in Mbit/s, as JSON; a law for each flow.
///
/// The last `uploads` flows go back, on `megabitsUp` and through a queue of the same discipline, of
/// `bufferUp` packets. Without uploads nothing waits on the way back.
std::string Dumbbell(std::vector<std::string> laws,
                     std::string disc,
                     double megabits,
                     double roundTripMs,
                     uint32_t buffer,
                     std::vector<double> starts,
                     double duration,
                     double warmUp,
                     uint32_t window,
                     double loss,
                     uint32_t seed,
                     uint32_t segmentsPerAck,
                     double megabitsUp,
                     uint32_t bufferUp,
                     uint32_t uploads)
{
    RngSeedManager::SetSeed(seed);
    RngSeedManager::ResetNextStreamIndex();
    g_warmUp = warmUp;
    g_sinks.clear();
    g_before.clear();
    SetTcp(window, segmentsPerAck);
    const uint32_t flows = starts.size();
    NodeContainer left(flows), right(flows), routers(2);
    InternetStackHelper stack;
    stack.Install(left);
    stack.Install(right);
    stack.Install(routers);
    PointToPointHelper access, line;
    access.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    access.SetChannelAttribute("Delay", StringValue("10us"));
    access.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(Packets(100000)));
    line.SetChannelAttribute("Delay", TimeValue(MicroSeconds(uint64_t(500 * roundTripMs))));
    line.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(Packets(1)));
    NetDeviceContainer middle = line.Install(routers);
    SetRate(middle.Get(0), megabits);
    SetRate(middle.Get(1), uploads ? megabitsUp : megabits);
    if (loss > 0.0)
    {
        auto losses = CreateObject<RateErrorModel>();
        losses->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        losses->SetRate(loss);
        DynamicCast<PointToPointNetDevice>(middle.Get(1))->SetReceiveErrorModel(losses);
    }
    TrafficControlHelper wide;
    wide.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue(Packets(100000)));
    Install(disc, buffer, middle.Get(0), &g_there);
    if (uploads)
    {
        Install(disc, bufferUp, middle.Get(1), &g_back);
    }
    else
    {
        wide.Install(middle.Get(1));
    }
    Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0");
    addresses.Assign(middle);
    std::vector<Ipv4Address> lefts, rights;
    for (uint32_t flow = 0; flow < flows; flow++)
    {
        auto near = access.Install(left.Get(flow), routers.Get(0));
        auto far = access.Install(routers.Get(1), right.Get(flow));
        wide.Install(near);
        wide.Install(far);
        addresses.NewNetwork();
        lefts.push_back(addresses.Assign(near).GetAddress(0));
        addresses.NewNetwork();
        rights.push_back(addresses.Assign(far).GetAddress(1));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    for (uint32_t flow = 0; flow < flows; flow++)
    {
        auto near = left.Get(flow), far = right.Get(flow);
        if (flow + uploads < flows)
        {
            AddFlow(near, far, rights[flow], laws[flow], starts[flow]);
        }
        else
        {
            AddFlow(far, near, lefts[flow], laws[flow], starts[flow]);
        }
    }
    Simulator::Schedule(Seconds(warmUp), &OnWarmUpEnd);
    Simulator::Stop(Seconds(duration));
    Simulator::Run();
    const std::string found = Found(duration - warmUp, uploads > 0);
    g_sinks.clear();
    Simulator::Destroy();
    return found;
}

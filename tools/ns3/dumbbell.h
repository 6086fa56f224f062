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

static TimeMean g_disc, g_device;
static uint64_t g_drops;
static double g_warmUp;
static std::vector<Ptr<PacketSink>> g_sinks;
static std::vector<uint64_t> g_before;

void OnDisc(uint32_t, uint32_t next) { g_disc.Change(next); }
void OnDevice(uint32_t, uint32_t next) { g_device.Change(next); }
void OnDrop(Ptr<const QueueDiscItem>) { g_drops += Simulator::Now().GetSeconds() > g_warmUp; }

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

/// The queue of the bottleneck; its traces are read.
void Install(const std::string& disc, uint32_t buffer, Ptr<NetDevice> device)
{
    TrafficControlHelper helper;
    helper.SetRootQueueDisc("ns3::" + disc, "MaxSize", StringValue(Packets(buffer)));
    Ptr<QueueDisc> queue = helper.Install(device).Get(0);
    queue->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&OnDisc));
    queue->TraceConnectWithoutContext("Drop", MakeCallback(&OnDrop));
    auto below = DynamicCast<PointToPointNetDevice>(device)->GetQueue();
    below->TraceConnectWithoutContext("PacketsInQueue", MakeCallback(&OnDevice));
}

/// `waiting` in packets, `drops`, and `goodput` by flow in Mbit/s, as JSON; a law for each flow.
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
                     uint32_t segmentsPerAck)
{
    RngSeedManager::SetSeed(seed);
    RngSeedManager::ResetNextStreamIndex();
    g_disc = g_device = TimeMean{};
    g_disc.from = g_device.from = g_warmUp = warmUp;
    g_drops = 0;
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
    line.SetDeviceAttribute("DataRate", DataRateValue(DataRate(uint64_t(megabits * 1e6))));
    line.SetChannelAttribute("Delay", TimeValue(MicroSeconds(uint64_t(500 * roundTripMs))));
    line.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue(Packets(1)));
    NetDeviceContainer middle = line.Install(routers);
    if (loss > 0.0)
    {
        auto losses = CreateObject<RateErrorModel>();
        losses->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
        losses->SetRate(loss);
        DynamicCast<PointToPointNetDevice>(middle.Get(1))->SetReceiveErrorModel(losses);
    }
    TrafficControlHelper wide;
    wide.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue(Packets(100000)));
    Install(disc, buffer, middle.Get(0));
    wide.Install(middle.Get(1));
    Ipv4AddressHelper addresses;
    addresses.SetBase("10.0.0.0", "255.255.255.0");
    addresses.Assign(middle);
    std::vector<Ipv4Address> sinks;
    for (uint32_t flow = 0; flow < flows; flow++)
    {
        auto near = access.Install(left.Get(flow), routers.Get(0));
        auto far = access.Install(routers.Get(1), right.Get(flow));
        wide.Install(near);
        wide.Install(far);
        addresses.NewNetwork();
        addresses.Assign(near);
        addresses.NewNetwork();
        sinks.push_back(addresses.Assign(far).GetAddress(1));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    const std::string tcp = "ns3::TcpSocketFactory";
    for (uint32_t flow = 0; flow < flows; flow++)
    {
        PacketSinkHelper sink(tcp, InetSocketAddress(Ipv4Address::GetAny(), 5000));
        g_sinks.push_back(DynamicCast<PacketSink>(sink.Install(right.Get(flow)).Get(0)));
        BulkSendHelper bulk(tcp, InetSocketAddress(sinks[flow], 5000));
        bulk.SetAttribute("SendSize", UintegerValue(14600));
        auto law = TypeIdValue(TypeId::LookupByName("ns3::" + laws[flow]));
        left.Get(flow)->GetObject<TcpL4Protocol>()->SetAttribute("SocketType", law);
        bulk.Install(left.Get(flow)).Start(Seconds(starts[flow]));
    }
    Simulator::Schedule(Seconds(warmUp), &OnWarmUpEnd);
    Simulator::Stop(Seconds(duration));
    Simulator::Run();
    g_disc.Change(0);
    g_device.Change(0);
    const double measured = duration - warmUp;
    std::ostringstream out;
    out.precision(10);
    out << "{\"waiting\": " << (g_disc.sum + g_device.sum) / measured << ", \"drops\": " << g_drops
        << ", \"goodput\": [";
    for (uint32_t flow = 0; flow < flows; flow++)
    {
        const uint64_t bytes = g_sinks[flow]->GetTotalRx() - g_before[flow];
        out << (flow ? ", " : "") << 8e-6 * bytes / measured;
    }
    out << "]}";
    g_sinks.clear();
    Simulator::Destroy();
    return out.str();
}

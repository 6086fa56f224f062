-- RM cells of ABR for Wireshark and tshark (ATM Forum TM 4.0 §5.10.3), which `--pcap-as erf` has
-- beside the packets.
--
--     tshark -X lua_script:docs/rm_cell.lua -r run.pcapng -Y rm

local rm = Proto("rm", "ATM resource management cell")

local directions = { [0] = "forward", [1] = "backward" }
local field = {
    id = ProtoField.uint8("rm.id", "Protocol id"),
    direction = ProtoField.uint8("rm.direction", "Direction (DIR)", base.DEC, directions, 0x80),
    notification = ProtoField.bool("rm.bn", "Notification, not of the source (BN)", 8, nil, 0x40),
    congestion = ProtoField.bool("rm.ci", "Congestion indication (CI)", 8, nil, 0x20),
    no_increase = ProtoField.bool("rm.ni", "No increase (NI)", 8, nil, 0x10),
    explicit = ProtoField.double("rm.er", "Explicit rate (ER), cells per second"),
    current = ProtoField.double("rm.ccr", "Current cell rate (CCR), cells per second"),
    least = ProtoField.double("rm.mcr", "Minimum cell rate (MCR), cells per second"),
    is_whole = ProtoField.bool("rm.crc_ok", "Its CRC-10 is right"),
}
rm.fields = field

local record = Field.new("erf.types.type")
local ATM_CELL, PAYLOAD_TYPE, GENERATOR = 3, 6, 0x633

-- One reserved bit, nz, five of the exponent, nine of the mantissa.
local function rate(range)
    local number = range:uint()
    local nonzero, exponent = math.floor(number / 16384) % 2, math.floor(number / 512) % 32
    return nonzero * 2 ^ exponent * (1 + number % 512 / 512)
end

local function exclusive_or(one, other)
    local result, power = 0, 1
    while one > 0 or other > 0 do
        if one % 2 ~= other % 2 then
            result = result + power
        end
        one, other, power = math.floor(one / 2), math.floor(other / 2), power * 2
    end
    return result
end

-- Remainder of the payload divided by x^10 + x^9 + x^5 + x^4 + x + 1, bit by bit.
local function is_whole(range)
    local rest = 0
    for place = 0, range:len() - 1 do
        local octet = range(place, 1):uint()
        for power = 7, 0, -1 do
            rest = rest * 2 + math.floor(octet / 2 ^ power) % 2
            if rest >= 1024 then
                rest = exclusive_or(rest, GENERATOR)
            end
        end
    end
    return rest == 0
end

function rm.dissector(octets, packet, tree)
    local kind = record()
    if not kind or kind.value % 128 ~= ATM_CELL or octets:len() ~= 52 then
        return
    end
    if math.floor(octets(3, 1):uint() / 2) % 8 ~= PAYLOAD_TYPE then
        return
    end
    local branch = tree:add(rm, octets(4))
    local direction = directions[math.floor(octets(5, 1):uint() / 128)]
    branch:add(field.id, octets(4, 1))
    local flags = { field.direction, field.notification, field.congestion, field.no_increase }
    for _, flag in ipairs(flags) do
        branch:add(flag, octets(5, 1))
    end
    branch:add(field.explicit, octets(6, 2), rate(octets(6, 2)))
    branch:add(field.current, octets(8, 2), rate(octets(8, 2)))
    branch:add(field.least, octets(10, 2), rate(octets(10, 2)))
    branch:add(field.is_whole, octets(50, 2), is_whole(octets(4)))
    packet.cols.protocol = "RM"
    packet.cols.info = string.format("%s, ER %.0f, CCR %.0f cells/s", direction,
        rate(octets(6, 2)), rate(octets(8, 2)))
end

register_postdissector(rm)

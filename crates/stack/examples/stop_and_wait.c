/* Stop and wait over IP: one packet under way, a timeout of a second. An end in a hundred lines.
 *
 * cc -o stop_and_wait stop_and_wait.c
 * cellway run SCENARIO --stack FLOW=./stop_and_wait
 *
 * A packet has an IP header of 20 octets with protocol 253 (RFC 3692), the number of its first
 * octet in eight octets, and data; an acknowledgement has the number that is expected, and none.
 */
#include "cellway_stack.h"

enum { HEADER = 28, LONGEST = 65535 };
#define SECOND UINT64_C(1000000000)

static struct cw_greeting end;
static uint64_t written, closes_at = CW_NEVER, acked, sent, timer = CW_NEVER;
static int is_waiting;

const char *cw_begin(const struct cw_greeting *greeting)
{
    end = *greeting;
    return "stop and wait\nstate timeouts 1";
}

static void put(uint64_t number, uint16_t length)
{
    static uint8_t packet[LONGEST];
    uint16_t all = HEADER + length;
    memset(packet, 0, HEADER);
    packet[0] = 0x45;
    packet[2] = (uint8_t)(all >> 8);
    packet[3] = (uint8_t)all;
    packet[8] = 64;
    packet[9] = 253;
    memcpy(packet + 12, end.own, 4);
    memcpy(packet + 16, end.peer, 4);
    memcpy(packet + 20, &number, 8);
    for (uint16_t i = 0; i < length; i++)
        packet[HEADER + i] = (uint8_t)((number + i) % 251);
    cw_send(packet, all);
}

static void take_data(uint64_t number, const uint8_t *data, uint16_t length)
{
    if (number == acked) {
        for (uint16_t i = 0; i < length; i++)
            if (data[i] != (number + i) % 251) {
                fprintf(stderr, "octet %lu is wrong\n", number + i);
                exit(1);
            }
        acked += length;
        cw_tell(CW_DELIVERED, acked);
    }
    put(acked, 0);
}

void cw_packet(uint64_t now, const uint8_t *packet, uint16_t length)
{
    uint64_t number;
    (void)now;
    memcpy(&number, packet + 20, 8);
    if (length > HEADER)
        take_data(number, packet + HEADER, length - HEADER);
    else if (number > acked) {
        acked = number;
        is_waiting = 0;
        timer = CW_NEVER;
        cw_tell(CW_ACKED, acked);
    }
}

void cw_called(uint64_t now, enum cw_call call, uint64_t number)
{
    (void)now;
    if (call == CW_OPEN)
        cw_tell(CW_OPENED, 0);
    else if (call == CW_WRITE)
        written += number;
    else if (call == CW_WRITE_FOREVER)
        written = CW_NEVER / 2;
    else
        closes_at = number > sent ? number : sent;
}

uint64_t cw_turn(uint64_t now)
{
    static double timeouts;
    if (timer <= now) {
        is_waiting = 0;
        cw_set(0, ++timeouts);
    }
    uint64_t last = written < closes_at ? written : closes_at;
    if (!is_waiting && acked < last) {
        uint64_t room = end.mtu - HEADER, left = last - acked;
        uint16_t length = (uint16_t)(left < room ? left : room);
        put(acked, length);
        sent = acked + length;
        is_waiting = 1;
        timer = now + SECOND;
    }
    return end.is_origin ? timer : CW_NEVER;
}

int main(void)
{
    return cw_serve();
}

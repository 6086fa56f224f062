/* Stacks of cellway in C: version 1 of the protocol of docs/stacks.md, in one header.
 *
 * A program defines the three functions at the end, and calls cw_serve() from main(). It must not
 * write to standard output, which has the protocol. Machines are little-endian here.
 */
#ifndef CELLWAY_STACK_H
#define CELLWAY_STACK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CW_NEVER UINT64_MAX

enum cw_call { CW_OPEN = 1, CW_WRITE, CW_WRITE_FOREVER, CW_CLOSE };
enum cw_event { CW_OPENED = 1, CW_ACKED, CW_DELIVERED, CW_ENDED, CW_CLOSED, CW_FAILED };

struct cw_greeting {
    uint64_t seed;
    int is_origin;
    uint8_t own[4], peer[4]; /* addresses */
    uint16_t port, peer_port;
    uint32_t mtu;
    uint64_t window;
};

/* An answer that grows. */
struct cw_part {
    uint8_t *octets;
    size_t length, room;
    uint16_t number;
};
static struct cw_part cw_packets, cw_events, cw_states;

static void cw_add(struct cw_part *part, const void *octets, size_t length)
{
    if (part->length + length > part->room) {
        part->room = 2 * (part->length + length);
        part->octets = realloc(part->octets, part->room);
        if (part->octets == NULL)
            abort();
    }
    memcpy(part->octets + part->length, octets, length);
    part->length += length;
}

/* Sends a packet, from the IP header on. */
static void cw_send(const uint8_t *packet, uint16_t length)
{
    cw_add(&cw_packets, &length, 2);
    cw_add(&cw_packets, packet, length);
    cw_packets.number++;
}

/* Tells an event with its number. */
static void cw_tell(enum cw_event event, uint64_t number)
{
    uint8_t code = (uint8_t)event;
    cw_add(&cw_events, &code, 1);
    cw_add(&cw_events, &number, 8);
    cw_events.number++;
}

/* Sets a state by its place in the list. */
static inline void cw_set(uint8_t state, double value)
{
    cw_add(&cw_states, &state, 1);
    cw_add(&cw_states, &value, 8);
    cw_states.number++;
}

/* To be defined by the program. cw_begin() returns its name, and behind a newline perhaps lines
 * `state NAME UNIT`. cw_turn() returns the instant of the next turn: first come cw_packet() for each
 * packet and cw_called() for each call, then cw_turn() once. Timers that are due run before calls:
 * where that matters, at the head of cw_called(), too. With the macro CW_COUNTERS before this header
 * a function of that name, without arguments, returns lines `name number` at the end of the run. */
const char *cw_begin(const struct cw_greeting *greeting);
void cw_packet(uint64_t now, const uint8_t *packet, uint16_t length);
void cw_called(uint64_t now, enum cw_call call, uint64_t number);
uint64_t cw_turn(uint64_t now);

static void cw_write(char kind, const struct cw_part *parts[], int number)
{
    uint32_t length = 1;
    for (int i = 0; i < number; i++)
        length += (uint32_t)parts[i]->length;
    fwrite(&length, 4, 1, stdout);
    fputc(kind, stdout);
    for (int i = 0; i < number; i++)
        if (parts[i]->length > 0)
            fwrite(parts[i]->octets, 1, parts[i]->length, stdout);
    fflush(stdout);
}

static void cw_greet(char *text)
{
    struct cw_greeting greeting = {0};
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        uint8_t *a = greeting.own, *b = greeting.peer;
        char role[16];
        sscanf(line, "seed %lu", &greeting.seed);
        if (sscanf(line, "role %15s", role) == 1)
            greeting.is_origin = strcmp(role, "origin") == 0;
        sscanf(line, "address %hhu.%hhu.%hhu.%hhu", &a[0], &a[1], &a[2], &a[3]);
        sscanf(line, "peer_address %hhu.%hhu.%hhu.%hhu", &b[0], &b[1], &b[2], &b[3]);
        sscanf(line, "port %hu", &greeting.port);
        sscanf(line, "peer_port %hu", &greeting.peer_port);
        sscanf(line, "mtu %u", &greeting.mtu);
        sscanf(line, "window %lu", &greeting.window);
    }
    const char *name = cw_begin(&greeting);
    struct cw_part head = {(uint8_t *)"version 1\nname ", 15, 0, 0};
    struct cw_part rest = {(uint8_t *)name, strlen(name), 0, 0};
    cw_write('h', (const struct cw_part *[]){&head, &rest}, 2);
}

static void cw_answer(const uint8_t *at)
{
    struct cw_part next = {0}, *parts[] = {&cw_packets, &cw_events, &cw_states};
    struct cw_part numbers[3] = {{0}};
    uint64_t now, number;
    uint16_t count, length;
    for (int i = 0; i < 3; i++)
        parts[i]->length = parts[i]->number = 0;
    memcpy(&now, at, 8);
    memcpy(&count, at + 8, 2);
    for (at += 10; count > 0; count--, at += 2 + length) {
        memcpy(&length, at, 2);
        cw_packet(now, at + 2, length);
    }
    memcpy(&count, at, 2);
    for (at += 2; count > 0; count--, at += 9) {
        memcpy(&number, at + 1, 8);
        cw_called(now, (enum cw_call)at[0], number);
    }
    uint64_t due = cw_turn(now);
    cw_add(&next, &due, 8);
    const struct cw_part *all[7] = {&next};
    for (int i = 0; i < 3; i++) {
        cw_add(&numbers[i], &parts[i]->number, 2);
        all[1 + 2 * i] = &numbers[i];
        all[2 + 2 * i] = parts[i];
    }
    cw_write('t', all, 7);
    free(next.octets);
    for (int i = 0; i < 3; i++)
        free(numbers[i].octets);
}

static void cw_tell_counters(void)
{
    struct cw_part text = {0};
#ifdef CW_COUNTERS
    const char *counters = CW_COUNTERS();
    text.octets = (uint8_t *)counters;
    text.length = strlen(counters);
#endif
    cw_write('e', (const struct cw_part *[]){&text}, 1);
}

/* Answers questions until the run ends. */
static int cw_serve(void)
{
    uint32_t length;
    while (fread(&length, 4, 1, stdin) == 1) {
        uint8_t *body = calloc(1, length + 1);
        if (body == NULL || fread(body, 1, length, stdin) != length)
            return 1;
        if (body[0] == 'H')
            cw_greet((char *)body + 1);
        else if (body[0] == 'T')
            cw_answer(body + 1);
        else
            cw_tell_counters();
        free(body);
    }
    return 0;
}

#endif

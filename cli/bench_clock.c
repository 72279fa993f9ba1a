/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nanoseconds, the core's clock rate, emulators: see bench.h.
 *
 * The counters that a program may read (rdtsc, rdtime, cntvct) count at a rate of their own, not the core's. So the
 * core's rate is measured by work of known length: exclusive-ors of a register with another, each of which takes one
 * cycle and waits for the one before. (Not additions of constants: recent cores do several of those in no time when
 * they rename registers.) Where the kernel lets a program count cycles, that is compared with the count.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double bench_clock_cost(void) {
    static double cost = -1;
    if (cost < 0) {
        cost = 1e9;
        for (int i = 0; i < 1000; i++) {
            const double a = bench_now(), b = bench_now();
            if (b - a < cost) cost = b - a;
        }
    }
    return cost;
}

/* One step; the compiler must neither merge nor reorder them. */
#define STEP(x, y)                                                                                                     \
    do {                                                                                                               \
        (x) ^= (y);                                                                                                    \
        __asm__ volatile("" : "+r"(x), "+r"(y));                                                                       \
    } while (0)
#define STEP8(x, y)                                                                                                    \
    do {                                                                                                               \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
        STEP(x, y);                                                                                                    \
    } while (0)
enum { UNROLLED = 64 };

/* Always optimised, and without a sanitizer's additions: a step must be one instruction. */
#if defined(__clang__)
__attribute__((noinline))
#else
__attribute__((noinline, optimize("O2")))
#endif
static size_t
chain(unsigned rounds, size_t x, size_t y) {
    for (unsigned i = 0; i < rounds; i++) {
        STEP8(x, y);
        STEP8(x, y);
        STEP8(x, y);
        STEP8(x, y);
        STEP8(x, y);
        STEP8(x, y);
        STEP8(x, y);
        STEP8(x, y);
    }
    return x;
}

static volatile size_t sink;

double bench_chain_mhz(unsigned steps) {
#if defined(__clang__) && !defined(__OPTIMIZE__)
    return (void)steps, 0; /* a step is several instructions then */
#endif
    const unsigned rounds = steps / UNROLLED + 1;
    const double cost = bench_clock_cost();
    double best = 1e30;
    for (int k = 0; k < 3; k++) { /* an interrupt hits one of them */
        const double start = bench_now();
        sink = chain(rounds, sink, 5);
        const double took = bench_now() - start - cost;
        if (took < best) best = took;
    }
    return best > 0 ? 1e3 * (double)(rounds * UNROLLED) / best : 0;
}

enum mhz_check bench_check_mhz(void) {
#ifdef __linux__
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_CPU_CYCLES;
    attr.disabled = 1;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0UL);
    if (fd < 0) return MHZ_UNCHECKED;
    const unsigned rounds = 20000;
    uint64_t best = UINT64_MAX, count = 0;
    for (int k = 0; k < 5; k++) {
        ioctl(fd, PERF_EVENT_IOC_RESET, 0);
        ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
        sink = chain(rounds, sink, 5);
        ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
        if (read(fd, &count, sizeof count) == (ssize_t)sizeof count && count > 0 && count < best) best = count;
    }
    close(fd);
    if (best == UINT64_MAX) return MHZ_UNCHECKED;
    const double per_step = (double)best / (double)(rounds * UNROLLED);
    return per_step > 0.99 && per_step < 1.01 ? MHZ_AGREES : MHZ_DIFFERS;
#else
    return MHZ_UNCHECKED;
#endif
}

static bool read_line(const char *path, char *out, size_t cap) {
    FILE *const f = fopen(path, "re");
    if (f == NULL) return false;
    const size_t n = fread(out, 1, cap - 1, f);
    fclose(f);
    out[n] = 0;
    out[strcspn(out, "\n")] = 0;
    return n > 0;
}

const char *bench_emulator(void) {
    static char name[64];
    /* A user-mode emulator answers for /proc/self/exe in the name of the program that it runs; the same link under
     * another name is its own. */
    char self[512], real[512];
    const ssize_t a = readlink("/proc/self/exe", self, sizeof self - 1);
    const ssize_t b = readlink("/proc/thread-self/exe", real, sizeof real - 1);
    if (a > 0 && b > 0) {
        self[a] = real[b] = 0;
        const char *const base = strrchr(real, '/') ? strrchr(real, '/') + 1 : real;
        if (strcmp(self, real) != 0 || strncmp(base, "qemu-", 5) == 0) {
            snprintf(name, sizeof name, "%.60s", base);
            return name;
        }
    }
#if defined(__x86_64__) || defined(__i386__)
    unsigned eax, ebx, ecx, edx;
    char vendor[13] = "";
    __cpuid(0x40000000U, eax, ebx, ecx, edx); /* a hypervisor's signature, if there is one */
    memcpy(vendor, &ebx, 4);
    memcpy(vendor + 4, &ecx, 4);
    memcpy(vendor + 8, &edx, 4);
    if (strcmp(vendor, "TCGTCGTCGTCG") == 0) return "qemu-system (TCG)";
#elif defined(__riscv)
    if (read_line("/proc/device-tree/model", name, sizeof name) && strstr(name, "qemu") != NULL) return name;
#endif
    return NULL;
}

void bench_cpu_name(char *out, size_t cap) {
    static const char *const keys[] = {"model name", "uarch", "Hardware", "cpu model", "machine"};
    char line[512], isa[96] = "", family[16] = "", model[16] = "";
    FILE *const f = fopen("/proc/cpuinfo", "re");
    out[0] = 0;
    while (f != NULL && (out[0] == 0 || model[0] == 0) && fgets(line, sizeof line, f) != NULL) {
        const char *const value = strchr(line, ':');
        if (value == NULL) continue;
        line[strcspn(line, "\n")] = 0;
        for (size_t i = 0; out[0] == 0 && i < sizeof keys / sizeof *keys; i++)
            if (strncmp(line, keys[i], strlen(keys[i])) == 0 && value[1] != 0 && value[2] != 0)
                snprintf(out, cap, "%s", value + 2);
        if (strncmp(line, "cpu family", 10) == 0) snprintf(family, sizeof family, "%.15s", value + 1);
        if (strncmp(line, "model\t", 6) == 0) snprintf(model, sizeof model, "%.15s", value + 1);
        if (strncmp(line, "isa", 3) == 0 && value[1] != 0) snprintf(isa, sizeof isa, "%s", value + 2);
    }
    if (f != NULL) fclose(f);
    if (out[0] == 0 && !read_line("/proc/device-tree/model", out, cap))
        snprintf(out, cap, "%s", isa[0] ? isa : "unknown CPU");
    const size_t n = strlen(out);
    /* A hypervisor may give a CPU a name that says nothing. */
    if (family[0] && model[0]) snprintf(out + n, cap - n, " (family%s model%s)", family, model);
    for (char *p = out; *p; p++) /* it goes into tables and pages */
        if ((unsigned char)*p < 0x20 || *p == '|' || *p == '"' || *p == '<' || *p == '\\') *p = ' ';
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of `cadenza bench`.
 *
 *     cmd_bench.c      options, order of work
 *     bench_rows.c     which work there is, and how cadenza does it
 *     bench_peers.c    how other libraries do it
 *     bench_core.c     taking times: contestants take turns, what they did is compared outside the timed part
 *     bench_clock.c    nanoseconds, the core's clock rate, emulators
 *     bench_stats.c    from many times to a figure: pure functions
 *     bench_report.c   what was found: a list of results that owes nothing to how they came about
 *     bench_text.c     tables for people (text, Markdown) and for spreadsheets (CSV)
 *     bench_json.c     the report as JSON, and back
 *     bench_compare.c  two reports, row by row
 *     bench_html.c     the report as a page with plots
 *
 * A unit of work is one algorithm, direction and kind of call. A contestant is a library, or an engine of cadenza's,
 * that does it. Times are nanoseconds an operation; an operation is one call for a whole message (or for a batch of
 * them, a key, a file), IV and tag included.
 */
#ifndef CDZ_CLI_BENCH_H
#define CDZ_CLI_BENCH_H

#include "cadenza.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- bench_stats.c ------------------------------------------------------------------------------- */

struct stats {
    double min, median, low, high; /* low and high: quartiles */
};
/* Of n > 0 values, which are sorted by this. */
struct stats stats_of(double *values, size_t n);

struct line {
    double slope, start; /* y = start + slope * x */
};
/* The median of the slopes between any two of n >= 2 points with different x, and the median of what is left (Theil,
 * Sen): a point that a busy moment has spoilt moves it little. */
struct line fit_line(const double *x, const double *y, size_t n);

/* How sure it is that two samples differ in place: 1 - p, p of the two-sided rank test of Mann and Whitney with the
 * normal distribution in place of the exact one. 0 where a sample has less than 4 values. */
double confidence_of_difference(const double *a, size_t na, const double *b, size_t nb);

/* ---- bench_clock.c ------------------------------------------------------------------------------- */

/* Monotonic nanoseconds, and what reading them takes: measured by the first call, which must be over before threads ask
 * for it. */
double bench_now(void);
double bench_clock_cost(void);

/* MHz of the core this runs on, by a chain of `steps` operations of one cycle each, each of which needs the result of
 * the one before. */
double bench_chain_mhz(unsigned steps);
enum mhz_check {
    MHZ_UNCHECKED, /* the kernel lets nobody count cycles here */
    MHZ_AGREES,    /* counted cycles and steps are the same within 1 % */
    MHZ_DIFFERS    /* a step is not a cycle here: cycles are not to be had */
};
enum mhz_check bench_check_mhz(void);

/* What runs this program instead of a CPU: "qemu-riscv64" ...; NULL where it seems to be a CPU. */
const char *bench_emulator(void);
/* The CPU's name; never empty. */
void bench_cpu_name(char *out, size_t cap);

/* ---- bench_report.c ------------------------------------------------------------------------------ */

enum { BENCH_POINTS = 16, BENCH_LIBRARIES = 5, BENCH_THREADS = 256, BENCH_CONTESTANTS = 32, BENCH_ROUNDS_MAX = 10000 };
#define BENCH_NS_MIN 1e-6 /* of a time in a report: less cannot be, nor more than a week and a half */
#define BENCH_NS_MAX 1e15

struct point {
    size_t bytes; /* of a message, a file; 0: a key */
    size_t n;
    double *ns;    /* n times an operation (a batch: a message), one a round, in the order of the rounds */
    double cycles; /* the least of ns times the clock rate of its round; 0: not known */
};

struct result {
    char algorithm[40], direction[8]; /* "enc", "dec", "mac", "verify", "set" */
    char call[8];                     /* "message", "batch", "file", "key" */
    char library[16], engine[96];     /* "cadenza", "aria/gfni-avx512"; "libgcrypt", "" */
    unsigned messages, threads;       /* messages: of a batch call; else 1 */
    bool slope;                       /* the points are there to fit a line */
    bool wrong;                       /* its output was not that of the others: nothing was timed */
    double mhz, mhz_spread;           /* 0: not known */
    size_t points;
    struct point point[BENCH_POINTS];
};

struct library_note {
    char name[16], version[64], file[256];
};

struct report {
    char version[32], cpu[96], arch[16], compiler[64], emulator[64]; /* emulator "": none */
    char taken[24];                                                  /* UTC, ISO 8601 */
    char clock[32];                                                  /* where MHz come from */
    unsigned rounds;
    bool complete;
    size_t libraries;
    struct library_note library[BENCH_LIBRARIES];
    size_t results, room;
    struct result *result;
};

void report_free(struct report *r);
/* Appends an empty result; NULL where there is no memory, which has been said. */
struct result *report_add(struct report *r);
/* Room for n times; false where there is no memory. */
bool point_reserve(struct point *p, size_t bytes, size_t n);

/* Nanoseconds a byte of a fitted line, and what a call costs besides. false: nothing was timed, or it has no slope. */
bool result_slope(const struct result *r, struct stats *per_byte, double *per_call);
/* The slope of each round; returns how many there are. `out` holds BENCH_ROUNDS_MAX. */
size_t result_round_slopes(const struct result *r, double *out);
/* Cycles a byte of a fitted line, or cycles an operation of point i; NaN: not known. */
double result_cycles(const struct result *r, size_t i);
/* Nanoseconds an operation at point i. false: nothing was timed. */
bool result_point(const struct result *r, size_t i, struct stats *ns);
/* The figure that stands for line i of a result (0 where it has a slope, else a point): ns a byte, or ns a call where
 * there are no bytes. NaN: none. */
double result_figure(const struct result *r, size_t i);
/* Lines that a result takes in a table: 1, or one a point. */
size_t result_lines(const struct result *r);
/* "ARIA-128-CBC", "ARIA-128-CBC batch of 64", ... */
enum { LABEL_MAX = 72 };
void result_label(const struct result *r, char out[LABEL_MAX]);
/* The same work: algorithm, direction, call, sizes. */
bool same_work(const struct result *a, const struct result *b);
/* The best peer's figure at line i for the work of `ours`, and how often it holds ours; false: no peer. */
bool report_best_peer(const struct report *r, const struct result *ours, size_t i, double *ratio);
/* The result of a library other than cadenza for that work; NULL: it has none. */
const struct result *report_peer(const struct report *r, const struct result *ours, const char *library);
bool is_ours(const struct result *r);

/* ---- works and contestants ------------------------------------------------------------------------- */

enum work_kind {
    WORK_MESSAGE, /* cdz_encrypt() ... */
    WORK_PIECES,  /* modes whose output is longer: cdz_begin() ... cdz_finish() */
    WORK_WRAP,    /* cdz_wrap() ... */
    WORK_MAC,     /* cdz_mac() ... */
    WORK_KEY,     /* setting a key, both directions ready */
    WORK_FILE     /* the body of `cadenza encrypt` and `decrypt` */
};

struct work {
    enum work_kind kind;
    cdz_info info;
    bool decrypt; /* or verify, or unwrap */
    bool batch;
    size_t messages; /* in a batch call; else 1 */
    size_t iv_len, tag_len;
    uint8_t key[64], iv[16];
};

/* How long a ciphertext is. */
size_t work_sealed(const struct work *w, size_t len);
/* Does a call need a true ciphertext each time, since it checks it? */
bool work_checks(const struct work *w);
/* Can messages of this length be? */
bool work_takes(const struct work *w, size_t len);

/* One contestant's hold on one unit of work; `a`, `b`, `c` are its library's own. */
struct session {
    const struct library *lib;
    const char *want; /* the engine asked for; NULL: the best */
    char engine[96];
    void *a, *b, *c;
    uint8_t *scratch;
    size_t scratch_cap;
    bool no_memory; /* why it could not be opened */
};

struct library {
    const char *name;
    char version[64], file[256];
    /* Opens the shared library, from a file or from where it usually is; 0, or why not is written to `why`. */
    int (*load)(struct library *l, const char *file, char *why, size_t cap);
    /* false: it does not have this, or `no_memory`; then it is closed all the same. */
    bool (*open)(struct session *s, const struct work *w);
    /* One operation in place: `len` bytes of plaintext, or their ciphertext; 0 where all went well. A batch of n
     * messages is n slices of `stride` bytes and n tags of 16. */
    int (*run)(struct session *s, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags);
    /* One key set-up; 0 where all went well. */
    int (*set_key)(struct session *s, const struct work *w);
    /* One block with the key that was set: what shows that it was. */
    int (*block)(struct session *s, const struct work *w, const uint8_t in[16], uint8_t out[16]);
    void (*close)(struct session *s);
    bool loaded;
};

/* ---- bench_rows.c, bench_peers.c --------------------------------------------------------------------- */

extern const struct library library_cadenza;
extern struct library library_peers[];
enum { PEERS = 4 };
/* Takes hardware features (libgcrypt's words, separated by commas) away from libgcrypt when it is loaded. */
extern const char *peers_gcrypt_deny;

/* The reference for a unit of work: another engine than `engine`, where there is one. */
cdz_status reference_open(cdz_cipher **c, const char *engine, const struct work *w);
/* One operation as the reference does it. */
int reference_run(cdz_cipher *c, const struct work *w, uint8_t *buf, size_t len, size_t stride, uint8_t *tags);

/* A file's body through the command's own code. */
struct file_work;
int file_work_open(struct file_work **f, const struct work *w, size_t len);
int file_work_run(struct file_work *f);
void file_work_engine(const struct file_work *f, char *out, size_t cap);
/* Compares what comes out with the portable engine's; 0 where it is the same. */
int file_work_check(struct file_work *f);
void file_work_close(struct file_work *f);

/* ---- bench_core.c -------------------------------------------------------------------------------------- */

struct plan {
    unsigned rounds, threads;
    double round_ns; /* a round has as many calls as fill this */
    bool quick;      /* one call a round, one round, nothing warmed up: for tests */
    double mhz;      /* given by the user; 0: measured */
    bool mhz_known;  /* a chain's step is a cycle */
    bool slope;
    size_t sizes;
    size_t size[BENCH_POINTS];
};

/* Set by SIGINT: what is being measured ends soon. */
extern volatile sig_atomic_t bench_stop;

/* Times the n contestants (whose `lib` and `want` are set) at one unit of work and appends a result for each that does
 * it. A contestant of cadenza's whose output is wrong, or that is faster than can be, is an error; a peer's is noted.
 */
int bench_measure(const struct plan *p, const struct work *w, struct session *contestants, size_t n, struct report *r);

/* ---- outputs ------------------------------------------------------------------------------------------ */

struct json_value;

void text_begin(const struct report *r, bool slope, bool peers, size_t name_width);
/* The lines of results from `first` on. */
void text_results(const struct report *r, size_t first);
void markdown_write(const struct report *r);
struct output;
/* Each returns an exit code, having said what failed. */
int json_write(const struct report *r, struct output *out);
int json_read(struct report *r, const char *path);
int csv_write(const struct report *r, struct output *out);
/* `old` may be NULL; `threshold` as compare_reports() has it. */
int html_write(const struct report *r, const struct report *old, double threshold, struct output *out);

struct change {
    const struct result *old, *new;
    size_t line;
    double before, after;      /* figures */
    double change, confidence; /* change: after / before - 1 */
    bool slower;               /* beyond the threshold, in the minimum and in the median, with confidence */
};
/* Pairs line by line; returns how many, and allocates *changes. SIZE_MAX: no memory. */
size_t compare_reports(const struct report *old, const struct report *new, double threshold, struct change **changes);
/* Prints them; DONE, or FAIL_SLOWER where a row is slower. */
int compare_print(const struct report *old, const struct report *new, double threshold, bool to_stderr);

#endif

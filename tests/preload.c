// What a disk and a clock can do to a process, put before the system's own calls (LD_PRELOAD).
// HASAMI_FAULTS names a directory; files in it say what is to happen, and are read at every call:
//
//   clock        seconds by which the clock is wrong (the monotonic one never is)
//   sync-fails   a sync fails with EIO if the path of its file contains this
//   kill-before  "3 /journal/": the process ends as by kill -9 before the third sync of a file with
//                this in its path, counted while the fault is there
//   kill-after   the same, after it
//
// and files are written there that say what has happened:
//
//   synced       a line for each file that was synced: its inode and the length that is on the disk
//   fired        a line for each fault
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int place(char *path, size_t size, const char *name) {
    const char *directory = getenv("HASAMI_FAULTS");
    return directory && snprintf(path, size, "%s/%s", directory, name) < (int)size;
}

// What a file says, without its end of line; 0 if it is not there.
static int told(const char *name, char *text, size_t size) {
    char path[512];
    if (!place(path, sizeof path, name)) return 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, size - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    text[strcspn(text, "\n")] = 0;
    return 1;
}

// One write, so that lines of several threads and processes do not mix.
static void tell(const char *name, const char *format, ...) {
    char path[512], line[256];
    if (!place(path, sizeof path, name)) return;
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) return;
    if (write(file, line, (size_t)length) != length) abort();
    close(file);
}

static void end(const char *when, atomic_long *seen, const char *path) {
    char wanted[256], *part;
    if (!told(when, wanted, sizeof wanted)) return;
    long number = strtol(wanted, &part, 10);
    part += *part == ' ';
    if (strstr(path, part) && atomic_fetch_add(seen, 1) + 1 == number) {
        tell("fired", "%s %s\n", when, path);
        kill(getpid(), SIGKILL);
        pause();
    }
}

static int sync_file(const char *name, int file) {
    int (*system_sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    if (!getenv("HASAMI_FAULTS")) return system_sync(file);
    static atomic_long before, after;
    char part[256], link[64], path[512] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (readlink(link, path, sizeof path - 1) < 0) return system_sync(file);
    end("kill-before", &before, path);
    if (told("sync-fails", part, sizeof part) && strstr(path, part)) {
        tell("fired", "sync-fails %s\n", path);
        errno = EIO;
        return -1;
    }
    // Asked for before: what is appended meanwhile may not be on the disk.
    struct stat found;
    int known = fstat(file, &found);
    int result = system_sync(file);
    if (result == 0 && known == 0) {
        tell("synced", "%lu %lu\n", (unsigned long)found.st_ino, (unsigned long)found.st_size);
    }
    end("kill-after", &after, path);
    return result;
}

int fsync(int file) { return sync_file("fsync", file); }
int fdatasync(int file) { return sync_file("fdatasync", file); }

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*system_clock)(clockid_t, struct timespec *);
    if (!system_clock) *(void **)&system_clock = dlsym(RTLD_NEXT, "clock_gettime");
    int result = system_clock(clock, now);
    char seconds[32];
    if (result == 0 && clock == CLOCK_REALTIME && told("clock", seconds, sizeof seconds)) {
        now->tv_sec += atol(seconds);
    }
    return result;
}

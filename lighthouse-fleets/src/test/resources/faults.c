/*
 * Fails or kills at one system call, for tests: preload it. The fault is read from the path of the file that a call is
 * for, which has a folder named fault-CALL-FILE-NUMBER-TIMES-ERRNO: calls CALL (fsync, write, read, truncate, unlink,
 * open, map, stat; alter for an opening to write; change for those of fsync, write, truncate and unlink; wrote for a
 * write that is done and fails) on files whose name ends with FILE (any for all) fail from call NUMBER on, TIMES times,
 * with ERRNO; with ERRNO 0 the process is killed before the call. Then the file "fired" is there beside it. Where the
 * name goes on with -CALL-FILE, such calls fail with EIO from then on. One thread at a time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static char current[512];
static long seen;

/* Whether a call may change a file. */
static int changes(const char *call) {
  return strcmp(call, "read") && strcmp(call, "open") && strcmp(call, "alter") && strcmp(call, "map") &&
         strcmp(call, "wrote") && strcmp(call, "stat");
}

/* Whether a call on a file is one of some calls on some files. */
static int is_of(const char *calls, const char *files, const char *call, const char *path) {
  if (!strcmp(calls, "change") ? !changes(call) : strcmp(calls, call)) return 0;
  size_t tail = strlen(files), all = strlen(path);
  return !strcmp(files, "any") || (all >= tail && !strcmp(path + all - tail, files));
}

/* Whether the call is to fail; errno is set then. */
static int fails_at(const char *path, const char *call) {
  const char *plan = strstr(path, "/fault-");
  if (!plan) return 0;
  char calls[16], file[16], then[16], its[16], folder[512];
  long number, times;
  int code;
  int parts = sscanf(plan, "/fault-%15[a-z]-%15[a-z]-%ld-%ld-%d-%15[a-z]-%15[a-z]", calls, file, &number, &times, &code,
                     then, its);
  if (parts < 5) return 0;
  const char *end = strchr(plan + 1, '/');
  size_t length = end ? (size_t)(end - path) : strlen(path);
  if (length >= sizeof folder - 8) return 0;
  memcpy(folder, path, length);
  folder[length] = 0;
  if (parts == 7 && !strcmp(folder, current) && seen >= number && is_of(then, its, call, path)) {
    errno = EIO;
    return 1;
  }
  if (!is_of(calls, file, call, path)) return 0;
  if (strcmp(folder, current)) {
    strcpy(current, folder);
    seen = 0;
  }
  seen++;
  if (seen < number || seen >= number + times) return 0;
  strcat(folder, "/fired");
  int fired = REAL(open)(folder, O_CREAT | O_WRONLY, 0600);
  if (fired >= 0) close(fired);
  if (code == 0) kill(getpid(), SIGKILL);
  errno = code;
  return 1;
}

static int fails(int fd, const char *call) {
  char link[64], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return fails_at(path, call);
}

#define OPEN(name)                                     \
  int name(const char *path, int flags, ...) {         \
    va_list more;                                      \
    va_start(more, flags);                             \
    mode_t mode = va_arg(more, mode_t);                \
    va_end(more);                                      \
    if (fails_at(path, "open")) return -1;             \
    if ((flags & O_ACCMODE) != O_RDONLY && fails_at(path, "alter")) return -1; \
    return REAL(name)(path, flags, mode);              \
  }

OPEN(open)
OPEN(open64)

/* The names of stat in all versions of the C library, as a JVM may be built with an older one. */
#define STAT(name, kind) \
  int name(const char *path, struct kind *to) { return fails_at(path, "stat") ? -1 : REAL(name)(path, to); }
#define OLD_STAT(name, kind)                                  \
  int name(int version, const char *path, struct kind *to) {  \
    return fails_at(path, "stat") ? -1 : REAL(name)(version, path, to); \
  }

STAT(stat, stat)
STAT(stat64, stat64)
OLD_STAT(__xstat, stat)
OLD_STAT(__xstat64, stat64)
int statx(int folder, const char *path, int flags, unsigned int mask, struct statx *to) {
  return fails_at(path, "stat") ? -1 : REAL(statx)(folder, path, flags, mask, to);
}

/* Not by dlsym, which may map memory itself. */
static void *map(void *at, size_t n, int may, int flags, int fd, off_t from) {
  if (fd >= 0 && fails(fd, "map")) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, at, n, may, flags, fd, from);
}
void *mmap(void *at, size_t n, int may, int flags, int fd, off_t from) { return map(at, n, may, flags, fd, from); }
void *mmap64(void *at, size_t n, int may, int flags, int fd, off64_t from) { return map(at, n, may, flags, fd, from); }

int fsync(int fd) { return fails(fd, "fsync") ? -1 : REAL(fsync)(fd); }
int fdatasync(int fd) { return fails(fd, "fsync") ? -1 : REAL(fdatasync)(fd); }
ssize_t write(int fd, const void *b, size_t n) { return fails(fd, "write") ? -1 : REAL(write)(fd, b, n); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t at) {
  ssize_t done = fails(fd, "write") ? -1 : REAL(pwrite)(fd, b, n, at);
  return fails(fd, "wrote") ? -1 : done;
}
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t at) {
  ssize_t done = fails(fd, "write") ? -1 : REAL(pwrite64)(fd, b, n, at);
  return fails(fd, "wrote") ? -1 : done;
}
ssize_t pread(int fd, void *b, size_t n, off_t at) { return fails(fd, "read") ? -1 : REAL(pread)(fd, b, n, at); }
ssize_t pread64(int fd, void *b, size_t n, off64_t at) { return fails(fd, "read") ? -1 : REAL(pread64)(fd, b, n, at); }
int ftruncate(int fd, off_t n) { return fails(fd, "truncate") ? -1 : REAL(ftruncate)(fd, n); }
int ftruncate64(int fd, off64_t n) { return fails(fd, "truncate") ? -1 : REAL(ftruncate64)(fd, n); }
int unlink(const char *path) { return fails_at(path, "unlink") ? -1 : REAL(unlink)(path); }

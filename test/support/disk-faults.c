/*
 * Makes calls on files fail: preloaded, it reads rules from the file $DISK_FAULTS before each read, write, sync and truncation. A rule is a line
 * `CALL END WHAT AT`: the call, the end of the file's path, an error number or `-N`, and from which matching call on it holds (0: from the first).
 * `-N` writes the first N - 1 bytes and kills the process, as a power cut would.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(type, name) static type (*real)(); if (!real) real = (type (*)())dlsym(RTLD_NEXT, name)

static int calls;

/* The error number, or -N, of the rule that holds for a call on a file; 0 without one. */
static int fault(const char *call, int fd) {
  const char *rules = getenv("DISK_FAULTS");
  char link[64], path[512], text[512];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  long length = syscall(SYS_readlink, link, path, sizeof path - 1);
  if (rules == NULL || length <= 0 || path[0] != '/') return 0;
  path[length] = 0;
  int file = syscall(SYS_openat, AT_FDCWD, rules, O_RDONLY);
  if (file < 0) return 0;
  length = syscall(SYS_read, file, text, sizeof text - 1);
  syscall(SYS_close, file);
  if (length <= 0) return 0;
  text[length] = 0;
  char *rest, *line;
  for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    char name[16], part[256];
    int what, at;
    if (sscanf(line, "%15s %255s %d %d", name, part, &what, &at) != 4 || strcmp(name, call) != 0) continue;
    size_t size = strlen(path), end = strlen(part);
    if (size >= end && strcmp(path + size - end, part) == 0 && __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) > at) return what;
  }
  return 0;
}

static void power_cut(int fd, const void *bytes, size_t size, off64_t offset, int what) {
  size_t kept = (size_t)(-what - 1) < size ? (size_t)(-what - 1) : size;
  if (offset >= 0) syscall(SYS_pwrite64, fd, bytes, kept, offset);
  else syscall(SYS_write, fd, bytes, kept);
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

#define FAIL(call, fd) int what = fault(call, fd); if (what > 0) return errno = what, -1

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  FAIL("write", fd);
  if (what < 0) power_cut(fd, bytes, size, offset, what);
  REAL(ssize_t, "pwrite64");
  return real(fd, bytes, size, offset);
}

ssize_t write(int fd, const void *bytes, size_t size) {
  FAIL("write", fd);
  if (what < 0) power_cut(fd, bytes, size, -1, what);
  REAL(ssize_t, "write");
  return real(fd, bytes, size);
}

ssize_t pread64(int fd, void *bytes, size_t size, off64_t offset) {
  FAIL("read", fd);
  REAL(ssize_t, "pread64");
  return real(fd, bytes, size, offset);
}

ssize_t read(int fd, void *bytes, size_t size) {
  FAIL("read", fd);
  REAL(ssize_t, "read");
  return real(fd, bytes, size);
}

int fsync(int fd) {
  FAIL("sync", fd);
  REAL(int, "fsync");
  return real(fd);
}

int fdatasync(int fd) {
  FAIL("sync", fd);
  REAL(int, "fdatasync");
  return real(fd);
}

int ftruncate64(int fd, off64_t size) {
  FAIL("truncate", fd);
  REAL(int, "ftruncate64");
  return real(fd, size);
}

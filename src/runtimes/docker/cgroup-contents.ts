/** What stands in the files of control groups, version 1 and 2. Every reader answers null for what is not there or not understood. */

/** Bytes moved to and from block devices. */
export interface Transfers {
  readBytes: number;
  writeBytes: number;
}

/** A file that holds one number. */
export function readNumber(text: string): number | null {
  const digits = text.trim();
  return /^\d{1,20}$/.test(digits) ? Number(digits) : null;
}

/** The number beside a name in a file of lines such as `inactive_file 4096`. */
export function readField(text: string, name: string): number | null {
  const start = text.startsWith(`${name} `) ? 0 : text.indexOf(`\n${name} `) + 1;
  if (start === 0 && !text.startsWith(`${name} `)) return null;
  const end = text.indexOf("\n", start);
  return readNumber(text.slice(start + name.length + 1, end === -1 ? undefined : end));
}

/**
 * Version 1: lines such as `8:0 Read 4096`. A file without any device says nothing: kernels since 6 keep it empty, whatever is written,
 * until a limit on the device is set.
 */
export function readServiceBytes(text: string): Transfers | null {
  const totals: Transfers = { readBytes: 0, writeBytes: 0 };
  let devices = 0;
  for (const [, operation, bytes] of text.matchAll(/^\d+:\d+ (Read|Write) (\d{1,20})$/gim)) {
    devices += 1;
    totals[operation?.toLowerCase() === "read" ? "readBytes" : "writeBytes"] += Number(bytes);
  }
  return devices === 0 ? null : totals;
}

/** Version 2: lines such as `8:0 rbytes=4096 wbytes=0 rios=1 ...`. Every device that was ever used has a line, so none means zero. */
export function readIoStat(text: string): Transfers {
  const totals: Transfers = { readBytes: 0, writeBytes: 0 };
  for (const [, kind, bytes] of text.matchAll(/ ([rw])bytes=(\d{1,20})\b/g)) {
    totals[kind === "r" ? "readBytes" : "writeBytes"] += Number(bytes);
  }
  return totals;
}

/** Of /proc/PID/net/dev, all interfaces but the loopback; null when there is no other. */
export function readNetworkDevices(text: string): { rxBytes: number; txBytes: number } | null {
  let interfaces = 0;
  let rxBytes = 0;
  let txBytes = 0;
  for (const line of text.split("\n")) {
    const [, name, counters = ""] = /^\s*([^\s:|]+):(.*)$/.exec(line) ?? [];
    const fields = counters.trim().split(/\s+/);
    const [rx = Number.NaN, tx = Number.NaN] = [Number(fields[0]), Number(fields[8])];
    if (name === undefined || name === "lo" || fields.length < 9 || !(rx >= 0) || !(tx >= 0)) continue;
    interfaces += 1;
    rxBytes += rx;
    txBytes += tx;
  }
  return interfaces === 0 ? null : { rxBytes, txBytes };
}

/** One line of /proc/PID/cgroup: the controllers of a hierarchy (none in version 2) and the group's path in it. */
export interface Membership {
  controllers: string[];
  path: string;
}

export function readMemberships(text: string): Membership[] {
  return text.split("\n").flatMap((line) => {
    const [, controllers = "", path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    return path === undefined ? [] : [{ controllers: controllers.split(",").filter((name) => name !== ""), path }];
  });
}

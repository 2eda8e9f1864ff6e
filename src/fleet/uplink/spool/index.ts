import { join } from "node:path";
import { MINUTE_MS } from "../../../contract/time.ts";
import type { Clock } from "../../../platform/clock.ts";
import { messageOf } from "../../../platform/errors.ts";
import { makeFolder } from "../../../platform/files.ts";
import type { Log } from "../../../platform/log.ts";
import { type Disk, openDisk } from "./disk.ts";
import { Memory } from "./memory.ts";
import type { SpoolRecord } from "./record.ts";
import { openStateFile, type SpoolState, type StateFile } from "./state-file.ts";

export type { SpoolRecord } from "./record.ts";

/** How many numbers are reserved at a time, so that none is used twice after a crash. */
const SEQS_RESERVED = 1_000_000;
/** An event that has waited longer is written to disk, even if there is room in memory: a crash costs no more than this. */
const SPILL_AFTER_MS = 30_000;
/** Between two warnings that events were dropped. */
const WARN_EVERY_MS = MINUTE_MS;
/** After the disk refused everything, it is not tried for this long. */
const DISK_REST_MS = 30_000;

export interface SpoolBudgets {
  maxMemoryBytes: number;
  maxDiskBytes: number;
  /** Events that were observed longer ago are dropped. */
  maxAgeMs: number;
}

interface SpoolOptions extends SpoolBudgets {
  /** Made when it is missing. */
  folder: string;
  clock: Clock;
  log: Log;
}

/** The contents of a spool. Source: contract, section 12. */
export interface SpoolTotals {
  queued: number;
  /** How many were lost since the agent enrolled. */
  dropped: number;
  bytes: number;
}

/**
 * Events that the server has not acknowledged: the newest in memory, older ones in files. They are read in the order of their seq, and kept until
 * they are acknowledged. Never throws for errors of the disk.
 */
export class Spool {
  readonly #options: SpoolOptions;
  readonly #stateFile: StateFile | undefined;
  readonly #state: SpoolState;
  /** undefined when there is none, and after closing. */
  #disk: Disk | undefined;
  #seq: number;
  readonly #memory = new Memory();
  /** When the oldest record in memory came. */
  #waitingSinceMs = 0;
  #diskRestsUntilMs = -Infinity;
  /** Read but not acknowledged, in order; records that are too old are only passed over. */
  #givenOut: { seq: number; tooOld: boolean }[] = [];
  #readSeq: number;
  /** How many were dropped since the last warning, and when that was. */
  #unwarned = 0;
  #warnedMs = -Infinity;
  #unreadableWarnedMs = -Infinity;

  constructor(options: SpoolOptions) {
    const { folder, maxDiskBytes, clock, log } = options;
    this.#options = options;
    this.#stateFile = openState(folder, log);
    this.#state = this.#stateFile?.read() ?? { doneSeq: 0, reservedSeq: clock.now().getTime() * 1000, dropped: 0 };
    this.#disk = maxDiskBytes > 0 ? this.#tryDisk() : undefined;
    // If the state file was lost or could not be written, the time is used: no agent observes a million events a second.
    this.#seq = Math.max(this.#state.reservedSeq, clock.now().getTime() * 1000, (this.#disk?.lastSeq ?? 0) + 1);
    this.#readSeq = this.#state.doneSeq;
  }

  /** A number for the next event, higher than all before it. */
  nextSeq(): number {
    if (this.#seq >= this.#state.reservedSeq) {
      this.#state.reservedSeq = this.#seq + SEQS_RESERVED;
      this.#save({ durable: true });
    }
    return this.#seq++;
  }

  /** The seq must be higher than those of earlier records. */
  push(record: SpoolRecord): void {
    const { maxMemoryBytes, clock } = this.#options;
    if (this.#memory.records.length === 0) this.#waitingSinceMs = clock.monotonicMs();
    this.#memory.push(record);
    if (this.#memory.bytes <= maxMemoryBytes) return;
    this.#spill();
    this.#dropWhile(() => this.#memory.bytes > maxMemoryBytes, "budget");
  }

  /** The next records that were not read yet, within these limits, but at least one when there is one. */
  read({ records, bytes }: { records: number; bytes: number }): SpoolRecord[] {
    const { maxAgeMs, clock } = this.#options;
    const oldest = clock.now().getTime() - maxAgeMs;
    const found: SpoolRecord[] = [];
    let size = 0;
    for (let record = this.#next(); record !== undefined && found.length < records; record = this.#next()) {
      const tooOld = record.observedAtMs < oldest;
      if (!tooOld && found.length > 0 && size + record.payload.length > bytes) break;
      this.#readSeq = record.seq;
      this.#givenOut.push({ seq: record.seq, tooOld });
      if (tooOld) continue;
      found.push(record);
      size += record.payload.length;
    }
    this.#removeTooOld();
    return found;
  }

  /** All records that were read, up to this seq, have arrived. */
  acknowledge(upTo: number): void {
    for (let first = this.#givenOut[0]; first !== undefined && first.seq <= upTo; first = this.#givenOut[0]) {
      this.#givenOut.shift();
      this.#remove(first.seq);
    }
    this.#removeTooOld();
    this.#save();
  }

  /** Reads again from the oldest record that was not acknowledged. */
  rewind(): void {
    this.#givenOut = [];
    this.#readSeq = this.#state.doneSeq;
  }

  /** Writes what has waited for long, and drops what is too old. */
  settle(): void {
    const { maxAgeMs, clock } = this.#options;
    const oldestMs = clock.now().getTime() - maxAgeMs;
    this.#disk?.dropOlderThan(oldestMs);
    this.#dropWhile(({ observedAtMs }) => observedAtMs < oldestMs, "age");
    if (this.#memory.records.length > 0 && clock.monotonicMs() - this.#waitingSinceMs >= SPILL_AFTER_MS) this.#spill();
    this.#forgetBefore(this.#firstSeqWaiting());
    this.#save();
  }

  /** Whether there is a record that was not read yet. */
  hasMore(): boolean {
    return this.#next() !== undefined;
  }

  totals(): SpoolTotals {
    return {
      queued: this.#memory.records.length + (this.#disk?.count ?? 0),
      dropped: this.#state.dropped,
      bytes: this.#memory.bytes + (this.#disk?.bytes ?? 0),
    };
  }

  /** Writes what is in memory to disk. The spool cannot be used afterwards. */
  close(): void {
    this.#diskRestsUntilMs = -Infinity;
    this.#spill();
    // What the disk refuses is lost with the process.
    this.#dropWhile(() => true, "end");
    this.#disk?.close();
    this.#disk = undefined;
    this.#save({ durable: true });
    this.#stateFile?.close();
  }

  #tryDisk(): Disk | undefined {
    const { folder, maxDiskBytes, clock, log } = this.#options;
    try {
      return openDisk({
        folder: join(folder, "segments"),
        clock,
        maxBytes: maxDiskBytes,
        doneSeq: this.#state.doneSeq,
        onLost: (events, why) => this.#lose(events, why),
        onUnreadable: (error) => this.#warnUnreadable(error),
      });
    } catch (error) {
      log.error({ folder, reason: messageOf(error) }, "spool has no disk: what is in memory is lost when the agent ends");
      return undefined;
    }
  }

  #lose(events: number, why: string): void {
    const { clock, log } = this.#options;
    if (events === 0) return;
    this.#state.dropped += events;
    this.#unwarned += events;
    this.#save();
    if (clock.monotonicMs() - this.#warnedMs < WARN_EVERY_MS) return;
    log.warn({ events: this.#unwarned, why, dropped: this.#state.dropped }, "events dropped from the spool");
    this.#unwarned = 0;
    this.#warnedMs = clock.monotonicMs();
  }

  /** Nothing newer is read meanwhile, since its acknowledgement would include what could not be read. */
  #warnUnreadable(error: unknown): void {
    const { clock, log } = this.#options;
    if (clock.monotonicMs() - this.#unreadableWarnedMs < WARN_EVERY_MS) return;
    this.#unreadableWarnedMs = clock.monotonicMs();
    log.warn({ reason: messageOf(error) }, "spool not read from disk: its events wait, and it is tried again");
  }

  #save(options?: { durable: boolean }): void {
    try {
      this.#stateFile?.write(this.#state, options);
    } catch (error) {
      this.#options.log.debug({ reason: messageOf(error) }, "state of the spool not written");
    }
  }

  /** Moves everything in memory to disk; what the disk refuses stays. */
  #spill(): void {
    const { clock, log } = this.#options;
    if (this.#disk === undefined || this.#memory.records.length === 0 || clock.monotonicMs() < this.#diskRestsUntilMs) return;
    const { written, error } = this.#disk.append(this.#memory.records);
    this.#memory.remove(written);
    this.#waitingSinceMs = clock.monotonicMs();
    this.#forgetBefore(this.#firstSeqWaiting());
    if (error === undefined) return;
    this.#diskRestsUntilMs = clock.monotonicMs() + DISK_REST_MS;
    log.warn({ reason: messageOf(error), waiting: this.#memory.records.length }, "spool not written to disk: it continues in memory");
  }

  /** Forgets records that were read but no longer exist. */
  #forgetBefore(firstSeq: number): void {
    if ((this.#givenOut[0]?.seq ?? Infinity) < firstSeq) this.#givenOut = this.#givenOut.filter((each) => each.seq >= firstSeq);
  }

  #firstSeqWaiting(): number {
    return this.#disk?.firstSeq ?? this.#memory.records[0]?.seq ?? Infinity;
  }

  /** Drops records from memory, oldest first, while the condition holds. */
  #dropWhile(holds: (oldest: SpoolRecord) => boolean, why: string): void {
    const dropped = this.#memory.removeWhile(holds);
    if (dropped === 0) return;
    this.#lose(dropped, why);
    this.#forgetBefore(this.#firstSeqWaiting());
  }

  /** The first record that was not read. */
  #next(): SpoolRecord | undefined {
    const found = this.#disk?.after(this.#readSeq);
    return found === "unreadable" ? undefined : (found ?? this.#memory.after(this.#readSeq));
  }

  #remove(done: number): void {
    this.#state.doneSeq = Math.max(this.#state.doneSeq, done);
    const [oldest] = this.#memory.records;
    if (oldest !== undefined && oldest.seq <= done) this.#memory.remove(1);
    else this.#disk?.remove(done);
  }

  #removeTooOld(): void {
    for (let first = this.#givenOut[0]; first?.tooOld === true; first = this.#givenOut[0]) {
      this.#givenOut.shift();
      this.#remove(first.seq);
      this.#lose(1, "age");
    }
  }
}

function openState(folder: string, log: Log): StateFile | undefined {
  try {
    makeFolder(folder);
    return openStateFile(join(folder, "state"));
  } catch (error) {
    log.error({ folder, reason: messageOf(error) }, "state of the spool cannot be kept");
    return undefined;
  }
}

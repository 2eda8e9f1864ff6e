import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";
import { createSendQueue } from "./send-queue.ts";

/** What a silence that begins at an alert keeps quiet: that alert, or all about the same thing. */
export type SilenceCovers = "alert" | "entity";

/** What a reader does about an alert that wants a name. */
export type AskedKind = "acknowledge" | "resolve";

interface AlertDeed {
  kind: AskedKind | "silence";
  alert: ShownAlert;
  /** Who does it. */
  by: string;
  note: string | undefined;
  /** Until when it is silenced. */
  until?: string | undefined;
  /** What is silenced; by default the alert alone. */
  covers?: SilenceCovers | undefined;
}

/** What a reader does about an endpoint or a heartbeat, and how that is sent. */
export interface MonitorDeed {
  kind: "pause" | "resume" | "silence" | "delete";
  monitor: { type: "endpoint" | "heartbeat"; id: number; name: string };
  send: () => Promise<void>;
}

/** What a reader accepts of what was found, by the keys of the findings, and how that is sent. */
export interface FindingsDeed {
  kind: "acknowledge";
  findings: ReadonlySet<string>;
  send: () => Promise<void>;
}

/** A silence of all alerts about something, a group or a host, and how that is sent. */
export interface SilenceDeed {
  kind: "silence";
  /** As matchers of a silence name it, `group`, `shop`; and what is silenced for how long, in words. */
  about: { type: string; id: string; words: string };
  send: () => Promise<void>;
}

/** One such deed that is not confirmed yet. It shows at once, and is sent when there was time to take it back. */
interface Pending {
  id: number;
  /** Those that were begun together have the same, and are taken back together. */
  batch: number;
  at: string;
  state: "waiting" | "sending" | "failed";
  /** Why it failed. */
  error: unknown;
}

type Deed = AlertDeed | MonitorDeed | FindingsDeed | SilenceDeed;

export type AlertAct = AlertDeed & Pending;
export type Act = AlertAct | ((MonitorDeed | FindingsDeed | SilenceDeed) & Pending);

export interface AlertActs {
  list(): readonly Act[];
  subscribe(listener: () => void): () => void;
  begin(...deeds: Deed[]): void;
  /** Takes it back, if it was not sent yet; forgets it, if it failed. */
  drop(id: number): void;
  retry(id: number): void;
  /** Sends at once what still waits: the page is being left. */
  flush(): void;
}

interface Dependencies {
  send: (act: AlertAct) => Promise<ShownAlert>;
  /** Receives the server's answer and what was done, before the deed is forgotten. */
  onSent: (record: ShownAlert, act: AlertAct) => void;
  now: () => number;
  /** Runs a function later; returns how to call that off. */
  later: (run: () => void, delayMs: number) => () => void;
}

/** Long enough to notice a slip, short enough that nobody else is woken meanwhile. */
export const UNDO_MS = 5000;
const OPPOSITE: Readonly<Partial<Record<Act["kind"], Act["kind"]>>> = { pause: "resume", resume: "pause" };

/** The deeds of this page's reader: shown at once, undoable for a moment, then sent. */
export function createAlertActs({ send, onSent, now, later }: Dependencies): AlertActs {
  const listeners = new Set<() => void>();
  const callOff = new Map<number, () => void>();
  const queue = createSendQueue(later);
  let acts: readonly Act[] = [];
  let lastId = 0;

  function set(next: readonly Act[]): void {
    acts = next;
    for (const listener of listeners) listener();
  }

  function change(id: number, parts: Partial<Pending>): void {
    set(acts.map((act) => (act.id === id ? { ...act, ...parts } : act)));
  }

  function wait(id: number): void {
    callOff.set(
      id,
      later(() => sendNow(id), UNDO_MS),
    );
  }

  function sendNow(id: number): void {
    callOff.get(id)?.();
    callOff.delete(id);
    const act = acts.find((each) => each.id === id);
    if (act === undefined || act.state === "sending") return;
    change(id, { state: "sending", error: undefined });
    void queue
      .add(() => transmit(act))
      .then(
        () => set(acts.filter((each) => each.id !== id)),
        (error: unknown) => change(id, { state: "failed", error }),
      );
  }

  async function transmit(act: Act): Promise<void> {
    if ("send" in act) await act.send();
    else onSent(await send(act), act);
  }

  function drop(id: number): void {
    const act = acts.find((each) => each.id === id);
    if (act === undefined || act.state === "sending") return;
    callOff.get(id)?.();
    callOff.delete(id);
    set(acts.filter((each) => each.id !== id));
  }

  return {
    list: () => acts,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    begin(...deeds) {
      const batch = lastId + 1;
      for (const deed of deeds) {
        lastId += 1;
        const act: Act = { ...deed, id: lastId, batch, at: new Date(now()).toISOString(), state: "waiting", error: undefined };
        const known = acts.filter((each) => subjectOf(each) === subjectOf(deed));
        // The opposite of what still waits takes that back: there is nothing to send.
        const opposite = known.find(({ kind, state }) => kind === OPPOSITE[deed.kind] && state === "waiting");
        if (opposite !== undefined) {
          drop(opposite.id);
          continue;
        }
        const same = known.findLast(({ kind }) => kind === deed.kind);
        // The same again changes nothing. A silence may be of another length: the latest counts.
        if (same !== undefined && same.state !== "failed" && deed.kind !== "silence") continue;
        if (same !== undefined) drop(same.id);
        set([...acts, act]);
        // What is deleted was asked for twice.
        if (deed.kind === "delete") sendNow(act.id);
        else wait(act.id);
      }
    },
    drop,
    retry: sendNow,
    flush() {
      for (const { id, state } of acts) if (state === "waiting") sendNow(id);
      queue.flush();
    },
  };
}

function subjectOf(deed: Deed): string {
  if ("findings" in deed) return `findings ${[...deed.findings].join()}`;
  if ("about" in deed) return `${deed.about.type} ${deed.about.id}`;
  return "monitor" in deed ? `${deed.monitor.type} ${deed.monitor.id}` : `alert ${deed.alert.id}`;
}

/** The findings that will be acknowledged once what their reader did has arrived, by their keys. */
export function acceptedOf(acts: readonly Act[]): ReadonlySet<string> {
  return new Set(acts.flatMap((act) => ("findings" in act && act.state !== "failed" ? [...act.findings] : [])));
}

/** Whether an endpoint or a heartbeat will be paused once what its reader did has arrived; undefined when nothing was done. */
export function pauseOf(acts: readonly Act[], type: MonitorDeed["monitor"]["type"], id: number): boolean | undefined {
  const act = acts.findLast((each) => "monitor" in each && each.monitor.type === type && each.monitor.id === id && each.state !== "failed");
  return act?.kind === "pause" ? true : act?.kind === "resume" ? false : undefined;
}

/** An alert as it will be once what its reader did has arrived; the same object when nothing was done. */
export function withActs(record: ShownAlert, acts: readonly Act[]): ShownAlert {
  const own = acts.flatMap((act) => ("alert" in act && act.alert.id === record.id && act.state !== "failed" ? [act] : []));
  const acknowledged = own.findLast(({ kind }) => kind === "acknowledge");
  const resolved = own.find(({ kind }) => kind === "resolve");
  const silenced = own.findLast(({ kind }) => kind === "silence") ?? acts.findLast((act): act is AlertAct => coversAlso(act, record));
  if ([acknowledged, resolved, silenced].every((act) => act === undefined) || record.status === "resolved") return record;
  return {
    ...record,
    ...(acknowledged !== undefined && {
      acknowledged_at: acknowledged.at,
      acknowledged_by: acknowledged.by,
      acknowledged_note: acknowledged.note ?? null,
    }),
    ...(silenced?.until !== undefined && { silenced_until: silenced.until }),
    ...(resolved !== undefined && { status: "resolved", resolved_at: resolved.at, resolved_by: resolved.by }),
  };
}

/** Whether an act silences an alert because it is about the same thing as another. */
function coversAlso(act: Act, { entity_type: type, entity_id: id }: ShownAlert): act is AlertAct {
  return (
    "alert" in act && act.covers === "entity" && act.state !== "failed" && act.alert.entity_type === type && act.alert.entity_id === id
  );
}

import type { ShownAlert } from "../../../src/alerting/alerts/answers.ts";

/** What a reader does about an alert. */
export type ActKind = "acknowledge" | "resolve" | "silence";
/** Those that want a name. */
export type AskedKind = Exclude<ActKind, "silence">;

/** One such deed on its way. It shows at once, and is sent when there was time to take it back. */
export interface Act {
  id: number;
  /** Those that were begun together have the same, and are taken back together. */
  batch: number;
  kind: ActKind;
  alert: ShownAlert;
  /** Who does it. */
  by: string;
  note: string | undefined;
  /** Until when it is silenced. */
  until?: string | undefined;
  at: string;
  state: "waiting" | "sending" | "failed";
  /** Why it failed. */
  error: unknown;
}

type Deed = Pick<Act, "kind" | "alert" | "by" | "note" | "until">;

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
  send: (act: Act) => Promise<ShownAlert>;
  /** Told what the server answered, before the deed is forgotten. */
  onSent: (record: ShownAlert) => void;
  now: () => number;
  /** Runs a function later; returns how to call that off. */
  later: (run: () => void, delayMs: number) => () => void;
}

/** Long enough to notice a slip, short enough that nobody else is woken meanwhile. */
export const UNDO_MS = 5000;

/** The deeds of this page's reader about alerts: shown at once, undoable for a moment, then sent. */
export function createAlertActs({ send, onSent, now, later }: Dependencies): AlertActs {
  const listeners = new Set<() => void>();
  const callOff = new Map<number, () => void>();
  let acts: readonly Act[] = [];
  let lastId = 0;

  function set(next: readonly Act[]): void {
    acts = next;
    for (const listener of listeners) listener();
  }

  function change(id: number, parts: Partial<Act>): void {
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
    send(act).then(
      (record) => {
        onSent(record);
        set(acts.filter((each) => each.id !== id));
      },
      (error: unknown) => change(id, { state: "failed", error }),
    );
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
        // The same again, while the first is on its way or failed, takes its place.
        const same = acts.find((each) => each.kind === deed.kind && each.alert.id === deed.alert.id);
        if (same !== undefined && same.state !== "failed") continue;
        set([...acts.filter((each) => each !== same), act]);
        wait(act.id);
      }
    },
    drop(id) {
      const act = acts.find((each) => each.id === id);
      if (act === undefined || act.state === "sending") return;
      callOff.get(id)?.();
      callOff.delete(id);
      set(acts.filter((each) => each.id !== id));
    },
    retry: sendNow,
    flush() {
      for (const { id, state } of acts) if (state === "waiting") sendNow(id);
    },
  };
}

/** An alert as it will be once what its reader did has arrived; the same object when nothing was done. */
export function withActs(record: ShownAlert, acts: readonly Act[]): ShownAlert {
  const own = acts.filter(({ alert, state }) => alert.id === record.id && state !== "failed");
  const acknowledged = own.findLast(({ kind }) => kind === "acknowledge");
  const resolved = own.find(({ kind }) => kind === "resolve");
  const silenced = own.find(({ kind }) => kind === "silence");
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

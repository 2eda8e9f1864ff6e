import { type Alert, SEVERITIES } from "../vocabulary.ts";
import { compareAlerts, type KeptAlert, keyText } from "./alert.ts";
import type { ShownAlert } from "./answers.ts";
import { alertAsShown } from "./records.ts";

const MAX_LISTED = 1_000;

/** The active alerts by key, as alerting last saved them. Parts that are built before alerting read it. */
export type ActiveAlerts = Map<string, KeptAlert>;

/** The alerts that something may still become of, in memory. They change only after a commit. */
export interface Register {
  /** The active one. */
  byKey(key: string): KeptAlert | undefined;
  byId(id: number): KeptAlert | undefined;
  /** Resolved by a person while its source says that it lasts. */
  persisting(key: string): KeptAlert | undefined;
  put(alert: KeptAlert): void;
  /** Those of an agent's host, or about the agent. */
  ofHost(agentId: string): KeptAlert[];
  forgetHost(agentId: string): void;
  active(): KeptAlert[];
  /** Active and persisting ones. */
  wrong(): KeptAlert[];
  /** Those that wait to be told. */
  held(): KeptAlert[];
  /** Replaces since when which alerts are not seen, by their ids. */
  setUnseen(since: ReadonlyMap<number, Date>): void;
  /** Silences changed: shows alerts anew. */
  forgetShown(): void;
  shown(alert: Alert): ShownAlert;
  /** The active ones as JSON, worst first. */
  activeBody(): Buffer;
}

export function createRegister(
  baseUrl: string,
  silencedUntil: (alert: Alert) => Date | undefined = () => undefined,
  active: ActiveAlerts = new Map(),
): Register {
  const persisting = new Map<string, KeptAlert>();
  const waiting = new Map<number, KeptAlert>();
  const ids = new Map<number, KeptAlert>();
  let texts = new WeakMap<KeptAlert, string>();
  let unseen: ReadonlyMap<number, Date> = new Map();
  let body: Buffer | undefined;

  const shown = (alert: Alert): ShownAlert =>
    alertAsShown(alert, { baseUrl, unseenSince: unseen.get(alert.id), silencedUntil: silencedUntil(alert) });

  function textOf(alert: KeptAlert): string {
    const kept = texts.get(alert) ?? JSON.stringify(shown(alert));
    texts.set(alert, kept);
    return kept;
  }

  function makeBody(): Buffer {
    const alerts = [...active.values()].sort(compareAlerts);
    const counts = Object.fromEntries(SEVERITIES.map((each) => [each, alerts.filter(({ severity }) => severity === each).length]));
    return Buffer.from(`{"alerts":[${alerts.slice(0, MAX_LISTED).map(textOf).join(",")}],"counts":${JSON.stringify(counts)}}`);
  }

  return {
    byKey: (key) => active.get(key),
    byId: (id) => ids.get(id),
    persisting: (key) => persisting.get(key),
    put(alert) {
      const key = keyText(alert);
      body = undefined;
      if (alert.status === "active") active.set(key, alert);
      else if (active.get(key)?.id === alert.id) active.delete(key);
      if (alert.persists) persisting.set(key, alert);
      else if (persisting.get(key)?.id === alert.id) persisting.delete(key);
      if (alert.heldBy === "flapping" || (alert.heldBy !== null && alert.status === "active")) waiting.set(alert.id, alert);
      else waiting.delete(alert.id);
      if (alert.status === "active" || alert.persists || waiting.has(alert.id)) ids.set(alert.id, alert);
      else ids.delete(alert.id);
    },
    ofHost: (agentId) => [...ids.values()].filter((alert) => alert.agentId === agentId),
    forgetHost(agentId) {
      body = undefined;
      for (const map of [active, persisting]) for (const [key, alert] of map) if (alert.agentId === agentId) map.delete(key);
      for (const map of [waiting, ids]) for (const [id, alert] of map) if (alert.agentId === agentId) map.delete(id);
    },
    setUnseen(since) {
      const isSame = (id: number): boolean => since.get(id)?.getTime() === unseen.get(id)?.getTime();
      const changed = [...active.values()].filter(({ id }) => !isSame(id));
      unseen = since;
      if (changed.length > 0) body = undefined;
      for (const alert of changed) texts.delete(alert);
    },
    forgetShown() {
      body = undefined;
      texts = new WeakMap();
    },
    shown,
    active: () => [...active.values()],
    wrong: () => [...active.values(), ...persisting.values()],
    held: () => [...waiting.values()],
    activeBody: () => (body ??= makeBody()),
  };
}

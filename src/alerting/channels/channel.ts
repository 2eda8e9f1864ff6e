import type { Fault } from "../../platform/errors.ts";
import { readEntity, scopeFault } from "../scope.ts";
import type { AlertSource, SendOutcome, Severity } from "../vocabulary.ts";
import type { ChannelHealth, ChannelType, RuleBody } from "./api.ts";
import type { Headers } from "./headers.ts";

/** A rule that routes alerts to a channel; null is "any". */
export interface Rule {
  id: number;
  source: AlertSource | null;
  severity: Severity | null;
  entityType: string | null;
  entityId: string | null;
}

export interface ChannelSettings {
  name: string;
  type: ChannelType;
  /** With its secrets. */
  url: string;
  headers: Headers;
  enabled: boolean;
}

/** The result of its latest deliveries. */
export interface ChannelState {
  health: ChannelHealth;
  lastDeliveryAt: Date | null;
  lastError: string | null;
}

/** A channel as other parts see it, without its secrets. */
export interface Channel {
  id: number;
  name: string;
  type: ChannelType;
  enabled: boolean;
  rules: readonly Rule[];
  /** When its settings changed last. */
  updatedAt: Date;
}

export interface NewChannel extends ChannelSettings, ChannelState {
  createdAt: Date;
  updatedAt: Date;
}

export interface SavedChannel extends NewChannel, Channel {
  id: number;
  rules: readonly Rule[];
}

/** All channels in memory, by id; changed after the commit. */
export type Register = Map<number, SavedChannel>;

export function newChannel(settings: ChannelSettings, now: Date): NewChannel {
  return { ...settings, health: "untested", lastDeliveryAt: null, lastError: null, createdAt: now, updatedAt: now };
}

/** The state of the receiver is kept as long as the address stays the same. */
export function editChannel(before: SavedChannel, settings: ChannelSettings, now: Date): SavedChannel {
  const isOther = settings.url !== before.url;
  return { ...before, ...settings, ...(isOther ? ({ health: "untested", lastError: null } as const) : {}), updatedAt: now };
}

/** The state of a channel after the outcome of a delivery. */
export function stateAfter(before: ChannelState, { status, error }: SendOutcome, at: Date): ChannelState {
  if (status === "failed") return { ...before, health: "failing", lastError: error };
  const isNewer = before.lastDeliveryAt === null || before.lastDeliveryAt < at;
  return { health: "healthy", lastError: error, lastDeliveryAt: isNewer ? at : before.lastDeliveryAt };
}

export function isSameRule(rule: Omit<Rule, "id">, other: Omit<Rule, "id">): boolean {
  return (
    rule.source === other.source &&
    rule.severity === other.severity &&
    rule.entityType === other.entityType &&
    rule.entityId === other.entityId
  );
}

export function ruleOf({ source, severity, entity_type, entity_id }: RuleBody): Omit<Rule, "id"> {
  const entityId = entity_type === null || entity_id === null ? entity_id : readEntity({ type: entity_type, id: entity_id }).id;
  return { source, severity, entityType: entity_type, entityId };
}

/** What is wrong with the fields of a rule. */
export function ruleFaults({ entity_type: type, entity_id: id }: RuleBody): Fault[] {
  const message = scopeFault({ type, id });
  return message === undefined ? [] : [{ path: "entity_id", message }];
}

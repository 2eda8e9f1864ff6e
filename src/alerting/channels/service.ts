import { randomUUID } from "node:crypto";
import { CHANNEL_BOUNDS } from "../../contract/notifications.ts";
import type { Event } from "../../events.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import { refuseFaults, ServiceError } from "../../platform/errors.ts";
import type { Outbound } from "../../platform/outbound.ts";
import type { Serial } from "../../platform/queues.ts";
import type { CreateBody, RuleBody, UpdateBody } from "./api.ts";
import type { ChannelList, ChannelRecord, RuleRecord, TestResult } from "./answers.ts";
import {
  type ChannelSettings,
  editChannel,
  isSameRule,
  newChannel,
  type Register,
  ruleFaults,
  ruleOf,
  type SavedChannel,
} from "./channel.ts";
import { KINDS } from "./kinds/kinds.ts";
import { type Health, type Send, testNotification } from "./sending.ts";
import { completeSettings, channelData, channelRecord, ruleRecord } from "./settings.ts";
import type { ChannelStore } from "./store.ts";

/** What users can ask of channels. Functions that take an id throw `not_found`; those that change something, `storage_unavailable`. */
export interface ChannelService {
  /** By name. */
  list(): ChannelList;
  get(id: number): ChannelRecord;
  /** Throws `EDITION_REQUIRED`, `unusable_values`, `https_required`, `private_address_refused`, `duplicate_name`, `conflict`. */
  create(body: CreateBody): Promise<ChannelRecord>;
  update(id: number, body: UpdateBody): Promise<ChannelRecord>;
  /** Throws `conflict`, naming who uses it. */
  remove(id: number): Promise<void>;
  /** Sends a test message, also when the channel is disabled. */
  test(id: number, signal: AbortSignal): Promise<TestResult>;
  /** For a receiver that no longer exists: removes its address, and keeps the last error as the note. */
  disable(id: number): Promise<void>;
  addRule(id: number, body: RuleBody): Promise<RuleRecord>;
  removeRule(id: number, ruleId: number): Promise<void>;
}

export interface ChannelServiceDependencies {
  store: ChannelStore;
  register: Register;
  health: Health;
  outbound: Outbound;
  send: Send;
  /** Throws EDITION_REQUIRED. */
  requireCapability(capability: string): void;
  /** Who uses a channel, in words. */
  usersOf(id: number): string[];
  serial: Serial;
  bus: Bus<Event>;
  clock: Clock;
  baseUrl: string;
}

const ONE_BY_ONE = "channels";

export function createChannelService(parts: ChannelServiceDependencies): ChannelService {
  const { store, register, health, outbound, send, requireCapability, usersOf, serial, bus, clock, baseUrl } = parts;

  function find(id: number): SavedChannel {
    const channel = register.get(id);
    if (channel === undefined) throw new ServiceError("not_found", `There is no channel ${id}.`);
    return channel;
  }

  function gate(type: ChannelSettings["type"]): void {
    const { capability } = KINDS[type];
    if (capability !== null) requireCapability(capability);
  }

  /** Looks the host up, which may take a while; answers warnings that are no faults. */
  async function checkAddress({ type, url }: ChannelSettings): Promise<string | null> {
    let noted: string | null = null;
    if (KINDS[type].transport !== "mail") await outbound.check(url, (sentence) => (noted = sentence));
    return noted;
  }

  function announceRules(channel: SavedChannel): void {
    register.set(channel.id, channel);
    bus.publish({ type: "channel.updated", data: { ...channelData(channel, clock.now()), change: "rules" } });
  }

  /** Outcomes of deliveries may have been noted while it was saved. */
  function withNewestState(channel: SavedChannel): SavedChannel {
    const newest = register.get(channel.id) ?? channel;
    return { ...channel, health: newest.health, lastDeliveryAt: newest.lastDeliveryAt, lastError: newest.lastError };
  }

  function disable(id: number): Promise<void> {
    return serial(ONE_BY_ONE, async () => {
      const channel = register.get(id);
      if (channel === undefined || channel.url === "") return;
      const now = clock.now();
      const disabled = { ...channel, enabled: false, url: "", updatedAt: now };
      await store.update(disabled, { isOtherReceiver: false });
      const next = withNewestState(disabled);
      register.set(next.id, next);
      bus.publish({ type: "channel.updated", data: { ...channelData(next, now), change: "edited" } });
    });
  }

  return {
    disable,
    list() {
      const channels = [...register.values()].map(channelRecord);
      return {
        channels: channels.sort((one, other) => one.name.localeCompare(other.name, "en") || one.id - other.id),
        total: channels.length,
      };
    },
    get: (id) => channelRecord(find(id)),
    async create(body) {
      gate(body.type);
      const settings = completeSettings(body, undefined, outbound.allowPrivate);
      const noted = await checkAddress(settings);
      return serial(ONE_BY_ONE, async () => {
        if (register.size >= CHANNEL_BOUNDS.channels) {
          throw new ServiceError(
            "conflict",
            `There are ${CHANNEL_BOUNDS.channels} channels, which is the most there can be. Delete one first.`,
          );
        }
        const now = clock.now();
        const channel = { ...newChannel(settings, now), lastError: noted };
        const id = await store.insert(channel);
        if (id === undefined) throw duplicate(settings.name);
        const saved = { ...channel, id, rules: [] };
        register.set(saved.id, saved);
        bus.publish({ type: "channel.created", data: channelData(saved, now) });
        return channelRecord(saved);
      });
    },
    async update(id, body) {
      const seen = find(id);
      const settings = completeSettings(body, seen, outbound.allowPrivate);
      if (settings.enabled) gate(settings.type);
      const noted = settings.url === seen.url ? seen.lastError : await checkAddress(settings);
      return serial(ONE_BY_ONE, async () => {
        const before = find(id);
        const now = clock.now();
        const current = completeSettings(body, before, outbound.allowPrivate);
        if (current.url !== settings.url)
          throw new ServiceError("conflict", "The channel was changed by somebody else meanwhile. Try again.");
        const edited = editChannel(before, current, now);
        const isOtherReceiver = current.url !== before.url;
        const changed = isOtherReceiver ? { ...edited, lastError: noted } : edited;
        if (!(await store.update(changed, { isOtherReceiver }))) throw duplicate(settings.name);
        const next = isOtherReceiver ? changed : withNewestState(changed);
        register.set(next.id, next);
        bus.publish({ type: "channel.updated", data: { ...channelData(next, now), change: "edited" } });
        return channelRecord(next);
      });
    },
    remove: (id) =>
      serial(ONE_BY_ONE, async () => {
        const channel = find(id);
        const users = usersOf(id);
        if (users.length > 0) {
          throw new ServiceError("conflict", `The channel "${channel.name}" is used by ${inWords(users)}. Take it out there first.`, {
            used_by: users,
          });
        }
        await store.remove(id);
        register.delete(id);
        bus.publish({ type: "channel.deleted", data: channelData(channel, clock.now()) });
      }),
    async test(id, signal) {
      const channel = find(id);
      gate(channel.type);
      const notification = testNotification(channel.name, { baseUrl, now: clock.now() });
      const outcome = await send(channel, notification, { idempotencyKey: `test-${randomUUID()}`, signal });
      const now = clock.now();
      // The caller is gone, which says nothing about the receiver.
      if (!signal.aborted) health.note(id, outcome, now);
      if (outcome.isGone === true) await disable(id);
      const result = { status: outcome.status, status_code: outcome.statusCode, duration_ms: outcome.durationMs, error: outcome.error };
      bus.publish({ type: "channel.tested", data: { ...channelData(register.get(id) ?? channel, now), ...result } });
      return result;
    },
    addRule: (id, body) =>
      serial(ONE_BY_ONE, async () => {
        const channel = find(id);
        refuseFaults(ruleFaults(body));
        const rule = ruleOf(body);
        if (channel.rules.some((other) => isSameRule(rule, other)))
          throw new ServiceError("conflict", "The channel has this rule already.");
        if (channel.rules.length >= CHANNEL_BOUNDS.rules) {
          throw new ServiceError(
            "conflict",
            `The channel has ${CHANNEL_BOUNDS.rules} rules, which is the most there can be. Delete one first.`,
          );
        }
        const saved = await store.addRule(id, rule);
        announceRules({ ...find(id), rules: [...channel.rules, saved] });
        return ruleRecord(saved);
      }),
    removeRule: (id, ruleId) =>
      serial(ONE_BY_ONE, async () => {
        const channel = find(id);
        const rules = channel.rules.filter((rule) => rule.id !== ruleId);
        if (rules.length === channel.rules.length) throw new ServiceError("not_found", `Channel ${id} has no rule ${ruleId}.`);
        await store.removeRule(ruleId);
        announceRules({ ...find(id), rules });
      }),
  };
}

function duplicate(name: string): ServiceError {
  return new ServiceError("duplicate_name", `There is another channel called "${name}".`, [
    { path: "name", message: "Is taken by another channel" },
  ]);
}

function inWords(users: readonly string[]): string {
  const shown = users.slice(0, 10);
  const last = shown.length > 1 ? ` and ${shown.at(-1)}` : "";
  const more = users.length > shown.length ? `, and ${users.length - shown.length} more` : "";
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")}${last}${more}` : (shown[0] ?? "");
}

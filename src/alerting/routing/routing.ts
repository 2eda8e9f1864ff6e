import { type GroupOf, isNamed, subjectsOf } from "../scope.ts";
import { type Alert, type Entity, nameKey, type RoutingDecision, type Target } from "../vocabulary.ts";
import { passes, type Trigger } from "./filters.ts";

/** A rule of a channel: which alerts it gets; null is any. */
export interface ChannelRule {
  id: number;
  source: string | null;
  severity: string | null;
  entityType: string | null;
  entityId: string | null;
}

/** The part of a channel that decides which alerts it gets. */
export interface RoutedChannel {
  id: number;
  name: string;
  enabled: boolean;
  rules: readonly ChannelRule[];
}

/** What decides about the channels of an alert. */
export interface RoutingContext {
  channels: readonly RoutedChannel[];
  triggers: readonly Trigger[];
  groupOf: GroupOf;
}

interface Reason {
  text: string;
  notifyOnResolve: boolean;
}

/** How many reasons are listed: an alert that matches a hundred triggers needs no list of a hundred. */
const MAX_LISTED_REASONS = 5;

/** The channels of an alert, each once however many rules and triggers name it, in the order of the channels. Source: contract, section 6. */
export function decideRouting(alert: Alert, { channels, triggers, groupOf }: RoutingContext): RoutingDecision {
  const subjects = subjectsOf(alert, groupOf);
  const matching = triggers.filter(({ enabled, filters }) => enabled && passes(filters, alert, subjects));
  const byLabel = labelChannels(alert, channels);
  const reasonsOf = (channel: RoutedChannel): Reason[] => [
    ...channel.rules
      .filter((rule) => meets(rule, alert, subjects))
      .map(({ id }): Reason => ({ text: `rule ${id} of this channel`, notifyOnResolve: true })),
    ...matching
      .filter(({ channelIds }) => channelIds.includes(channel.id))
      .map(({ name, notifyOnResolve }): Reason => ({ text: `trigger "${name}"`, notifyOnResolve })),
    ...(byLabel.ids.has(channel.id) ? [{ text: "label service.alert.channels", notifyOnResolve: true }] : []),
  ];
  const named = channels.map((channel) => ({ ...channel, reasons: reasonsOf(channel) })).filter(({ reasons }) => reasons.length > 0);
  return {
    targets: named.filter(({ enabled }) => enabled).map(({ id, reasons }) => targetOf(id, reasons)),
    disabled: named.filter(({ enabled }) => !enabled).map(({ name }) => name),
    unknown: byLabel.unknown,
  };
}

/** Whether the rule of a channel matches an alert that is about these subjects. */
export function meets({ source, severity, entityType, entityId }: ChannelRule, alert: Alert, subjects: readonly Entity[]): boolean {
  return (
    (source === null || source === alert.source) &&
    (severity === null || severity === alert.severity) &&
    isNamed({ type: entityType, id: entityId }, alert, subjects)
  );
}

function labelChannels(alert: Alert, channels: readonly RoutedChannel[]): { ids: Set<number>; unknown: string[] } {
  const ids = new Set<number>();
  const unknown = new Set<string>();
  for (const given of alert.channels) {
    const name = given.trim();
    if (name === "") continue;
    const channel = channels.find((each) => nameKey(each.name) === nameKey(name));
    if (channel === undefined) unknown.add(name);
    else ids.add(channel.id);
  }
  return { ids, unknown: [...unknown] };
}

function targetOf(channelId: number, reasons: readonly Reason[]): Target {
  const listed = reasons.slice(0, MAX_LISTED_REASONS).map(({ text }) => text);
  if (reasons.length > MAX_LISTED_REASONS) listed.push(`${reasons.length - MAX_LISTED_REASONS} more`);
  return { channelId, notifyOnResolve: reasons.some(({ notifyOnResolve }) => notifyOnResolve), because: listed.join(", ") };
}

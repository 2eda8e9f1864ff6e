import type { ContainerSettings, ContainerSighting, UpdateSettings } from "../../observations.ts";

const PREFIX = "service.";
/** Of a service these are for itself: what they lead to is checked once, not once for each task. */
const OF_SERVICE_ALONE = /^service\.(?:endpoint|certificate)\./;

/** The label of each setting, without the prefix. Source: contract, section 1. */
const SETTING_LABELS: Readonly<Record<keyof Omit<ContainerSettings, "updates">, string>> = {
  ignored: "ignore",
  group: "group",
  alertSeverity: "alert.severity",
  alertChannels: "alert.channels",
  alertTags: "alert.tags",
  restartThreshold: "alert.restart_threshold",
  downAfterMs: "alert.down",
};
const UPDATE_LABELS: Readonly<Record<keyof UpdateSettings, string>> = {
  enabled: "update.enabled",
  track: "update.track",
  pin: "update.pin",
  ignoreMajor: "update.ignore_major",
  registry: "update.registry",
  alertOn: "update.alert_on",
  digestOnly: "update.digest_only",
  tagInclude: "update.tag-include",
  tagExclude: "update.tag-exclude",
};

/** Labels, and what they ask for. */
export interface Labelled {
  labels: Readonly<Record<string, string>>;
  settings: ContainerSettings;
}

/** A container with the `service.*` labels of its service under its own. The same object when there are none. Source: contract, section 1. */
export function withServiceLabels(container: ContainerSighting, service: Labelled): ContainerSighting {
  const inherited = Object.entries(ownLabels(service.labels)).filter(([label]) => !Object.hasOwn(container.labels, label));
  if (inherited.length === 0) return container;
  const labels = new Set(inherited.map(([label]) => label));
  const { updates } = container.settings;
  const settings = {
    ...inherit(container.settings, service.settings, { names: SETTING_LABELS, labels }),
    updates: inherit(updates, service.settings.updates, { names: UPDATE_LABELS, labels }),
  };
  return { ...container, labels: { ...Object.fromEntries(inherited), ...container.labels }, settings };
}

function inherit<Settings extends object>(
  own: Settings,
  service: Settings,
  { names, labels }: { names: Readonly<Partial<Record<keyof Settings, string>>>; labels: ReadonlySet<string> },
): Settings {
  const merged = { ...own };
  for (const key in names) if (labels.has(`${PREFIX}${names[key]}`)) merged[key] = service[key];
  return merged;
}

/** The labels of a service that hold for the containers of its tasks. */
export function ownLabels(labels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([label]) => label.startsWith(PREFIX) && !OF_SERVICE_ALONE.test(label)));
}

import type { ContainerSettings, LabelError, Severity } from "../../observations.ts";

/** Who is to hear of what is checked for a container, and how bad it is. */
export interface AlertSettings {
  severity: Severity;
  channels: readonly string[];
  tags: readonly string[];
}

const SEVERITY_LABEL = "service.alert.severity";

/** What its labels say; without a word on the severity it is critical, while the settings have the default of containers. */
export function alertsOf({
  labels,
  labelErrors,
  settings,
}: {
  labels: Readonly<Record<string, string>>;
  labelErrors: readonly LabelError[];
  settings: ContainerSettings;
}): AlertSettings {
  const isSet = Object.hasOwn(labels, SEVERITY_LABEL) && labelErrors.every(({ label }) => label !== SEVERITY_LABEL);
  return { severity: isSet ? settings.alertSeverity : "critical", channels: settings.alertChannels, tags: settings.alertTags };
}

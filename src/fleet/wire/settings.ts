import type { MessageInitShape } from "@bufbuild/protobuf";
import { DAY_MS } from "../../contract/time.ts";
import { type ContainerSettings, DEFAULT_UPDATE_SETTINGS, type UpdateSettings } from "../../observations.ts";
import { UpdateTrack } from "./gen/service/agent/v1/ingest_pb.ts";
import type * as wire from "./gen/service/agent/v1/ingest_pb.ts";
import { MAX_LIST, MAX_NAME, MAX_PATTERN } from "./limits.ts";
import { listOf, nameOf, optionalName, textOf, within } from "./values.ts";
import { SEVERITIES, TRACKS, UPDATE_ALERTS } from "./vocabulary.ts";

/** Restarts that make a loop, where an agent says none. */
const RESTART_THRESHOLD = 3;
const LONGEST_DOWN_MS = DAY_MS;

export function toSettings(settings: ContainerSettings): MessageInitShape<typeof wire.ContainerSettingsSchema> {
  return {
    ignored: settings.ignored,
    group: settings.group ?? undefined,
    alertSeverity: SEVERITIES.numbers[settings.alertSeverity],
    alertChannels: settings.alertChannels,
    alertTags: settings.alertTags,
    restartThreshold: settings.restartThreshold,
    downAfterMs: settings.downAfterMs ?? undefined,
    updates: toUpdates(settings.updates),
  };
}

function toUpdates(updates: UpdateSettings): MessageInitShape<typeof wire.UpdateSettingsSchema> {
  return {
    disabled: !updates.enabled,
    track: updates.track === null ? UpdateTrack.UNSPECIFIED : TRACKS.numbers[updates.track],
    pin: updates.pin ?? undefined,
    ignoreMajor: updates.ignoreMajor,
    registry: updates.registry ?? undefined,
    alertOn: UPDATE_ALERTS.numbers[updates.alertOn],
    digestOnly: updates.digestOnly,
    tagInclude: updates.tagInclude ?? undefined,
    tagExclude: updates.tagExclude ?? undefined,
  };
}

/** Without any, the defaults hold. */
export function fromSettings(sent: wire.ContainerSettings | undefined, where: string): ContainerSettings {
  const names = (list: readonly string[], name: string): string[] =>
    listOf(list, `${where}.${name}`, { most: MAX_LIST, read: (item, place) => nameOf(item, place, MAX_NAME) });
  return {
    ignored: sent?.ignored ?? false,
    group: optionalName(sent?.group, `${where}.group`, MAX_NAME),
    alertSeverity: SEVERITIES.wordOf(sent?.alertSeverity ?? 0) ?? "warning",
    alertChannels: names(sent?.alertChannels ?? [], "alert_channels"),
    alertTags: names(sent?.alertTags ?? [], "alert_tags"),
    restartThreshold: within(sent?.restartThreshold || RESTART_THRESHOLD, `${where}.restart_threshold`, [1, 1000]),
    downAfterMs: sent?.downAfterMs === undefined ? null : within(sent.downAfterMs, `${where}.down_after_ms`, [0, LONGEST_DOWN_MS]),
    updates: sent?.updates === undefined ? DEFAULT_UPDATE_SETTINGS : fromUpdates(sent.updates, `${where}.updates`),
  };
}

function fromUpdates(sent: wire.UpdateSettings, where: string): UpdateSettings {
  const pattern = (text: string | undefined, name: string): string | null =>
    text === undefined ? null : textOf(text, `${where}.${name}`, MAX_PATTERN);
  return {
    enabled: !sent.disabled,
    track: TRACKS.wordOf(sent.track) ?? null,
    pin: optionalName(sent.pin, `${where}.pin`, MAX_NAME),
    ignoreMajor: sent.ignoreMajor,
    registry: optionalName(sent.registry, `${where}.registry`, MAX_NAME),
    alertOn: UPDATE_ALERTS.wordOf(sent.alertOn) ?? "all",
    digestOnly: sent.digestOnly,
    tagInclude: pattern(sent.tagInclude, "tag_include"),
    tagExclude: pattern(sent.tagExclude, "tag_exclude"),
  };
}

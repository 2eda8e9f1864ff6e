import type { ResourceMetric } from "../../../../../src/contract/thresholds.ts";
import { Link } from "@tanstack/react-router";
import { useId, type ReactNode } from "react";
import type { Thresholds } from "../../../../../src/monitoring/resources/answers.ts";
import { scopeWords } from "../../../entities/thresholds/words.ts";
import { useHostName } from "../../../app/hosts.ts";
import { formatBytes } from "../../../format/bytes.ts";
import { formatShare } from "../../../format/usage.ts";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { Section } from "../../../ui/section.tsx";
import { SkeletonRows } from "../../../ui/skeleton.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { breachOf, percentOf, watchedOf } from "../../../entities/thresholds/draft.ts";
import type { ThresholdEditing, useThresholds } from "./use-thresholds.ts";

/** From which use a container raises alerts. The same lines can be dragged in the charts. */
export function ThresholdSection({ state, limit }: { state: ReturnType<typeof useThresholds>; limit: number | null }) {
  const { editing, error, retry } = state;
  return (
    <Section title="Thresholds" aside={editing !== undefined && watchedWords(editing.thresholds)}>
      {editing !== undefined && <ThresholdForm editing={editing} limit={limit} />}
      {editing === undefined && error === null && <SkeletonRows count={3} label="Loading thresholds" />}
      {editing === undefined && error !== null && (
        <ErrorNote what="Could not load thresholds." error={error} onRetry={retry}>
          The current settings still apply.
        </ErrorNote>
      )}
    </Section>
  );
}

/** For what they were set, when that is not the container alone. */
function Source({ editing: { thresholds, inherit, inheriting } }: { editing: ThresholdEditing }) {
  const nameOfHost = useHostName();
  const { source, inherits_from: other } = thresholds;
  if (source === null || other === null) return null;
  if (source.entity_type !== "container")
    return (
      <p className="text-ink-2">
        Set for the {scopeWords(source, nameOfHost)} on the page{" "}
        <Link to="/resources" className="underline underline-offset-2">
          Resources
        </Link>
        . Saving here sets them for this container only.
      </p>
    );
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
        Set for this container, instead of those of the {scopeWords(other, nameOfHost)}.
        <Button disabled={inheriting.isPending} onClick={inherit}>
          Use those of the {other.entity_type === "group" ? "group" : "host"}
        </Button>
      </p>
      {inheriting.error !== null && <ErrorNote what="The thresholds were not changed." error={inheriting.error} />}
    </>
  );
}

function watchedWords(thresholds: Thresholds): string {
  const watched = watchedOf(thresholds).map((metric) => METRIC_NAMES[metric]);
  return watched.length === 0 ? "No thresholds set" : `Watching ${watched.join(" and ")}`;
}

const METRIC_NAMES: Readonly<Record<ResourceMetric, string>> = { cpu: "CPU", memory: "memory" };

function ThresholdForm({ editing, limit }: { editing: ThresholdEditing; limit: number | null }) {
  const { draft, faults, phase, error, change, save, revert } = editing;
  const memory = percentOf(draft.memory);
  const isUnsaved = phase === "changed" || phase === "failed";
  return (
    <form
      className="pt-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Source editing={editing} />
      <LevelField metric="cpu" name="CPU" unit="% of its allocation" editing={editing} />
      <LevelField
        metric="memory"
        name="Memory"
        unit={`% of its limit${memory === undefined || limit === null ? "" : `, ${formatBytes((limit * memory) / 100)}`}`}
        editing={editing}
      />
      <Row name="Duration" fault={faults.debounce_seconds}>
        {(faultId) => (
          <>
            <NumberInput
              label="Seconds above the threshold before the alert fires"
              value={draft.debounce}
              faultId={faultId}
              onChange={(debounce) => change({ ...draft, debounce })}
            />
            <span className="text-ink-2">seconds above to fire, and below to resolve</span>
          </>
        )}
      </Row>
      <div className="mt-2 flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" kind={isUnsaved ? "primary" : "plain"} disabled={phase === "saving"}>
          Save
        </Button>
        {isUnsaved && (
          <Button kind="quiet" onClick={revert}>
            Discard
          </Button>
        )}
        <span role="status" className="text-ink-2">
          {PHASES[phase]}
        </span>
      </div>
      {phase === "failed" && error !== null && (
        <ErrorNote what="The thresholds were not saved." error={error}>
          The previous settings still apply. Your input is kept.
        </ErrorNote>
      )}
      <UnsavedChanges when={isUnsaved} />
    </form>
  );
}

const PHASES: Readonly<Record<ThresholdEditing["phase"], string>> = {
  as_set: "",
  changed: "Unsaved",
  saving: "Saving",
  saved: "Saved",
  failed: "",
};

interface LevelProperties {
  metric: ResourceMetric;
  name: string;
  unit: string;
  editing: ThresholdEditing;
}

function LevelField({ metric, name, unit, editing: { draft, faults, thresholds, change } }: LevelProperties) {
  const { isOn, percent } = draft[metric];
  const set = (level: Partial<typeof draft.cpu>) => change({ ...draft, [metric]: { ...draft[metric], ...level } });
  const breach = breachOf(thresholds, metric);
  return (
    <Row
      name={
        <label className="flex items-center gap-2 max-md:py-2.5">
          <input
            type="checkbox"
            checked={isOn}
            onChange={(event) => set({ isOn: event.target.checked })}
            className="size-4 shrink-0 accent-accent"
          />
          {name} above
        </label>
      }
      fault={faults[`${metric}_threshold`]}
    >
      {(faultId) => (
        <>
          <NumberInput
            label={`${name} threshold in percent`}
            value={percent}
            faultId={faultId}
            isQuiet={!isOn}
            onChange={(next) => set({ percent: next, isOn: true })}
          />
          <span className="text-ink-2 tabular-nums">{unit}</span>
          {breach !== null && (
            <span className="inline-flex items-center gap-1.5">
              <StatusIcon status="degraded" />
              <BreachWords {...breach} />
            </span>
          )}
        </>
      )}
    </Row>
  );
}

/** `Above 90 % since 03:12, peak 97 %` */
export function BreachWords({ threshold, since, peak }: { threshold: number; since: string; peak: number }) {
  return (
    <span className="tabular-nums">
      Above {threshold} % since <Timestamp at={since} precision="minute" />, peak {formatShare(peak)}
    </span>
  );
}

function Row({
  name,
  fault,
  children,
}: {
  name: ReactNode;
  fault: string | undefined;
  children: (faultId: string | undefined) => ReactNode;
}) {
  const faultId = useId();
  return (
    <div className="grid grid-cols-[8.5rem_minmax(0,1fr)] items-start gap-x-3 py-1.5">
      <div className="flex min-h-8 items-center">{name}</div>
      <div className="min-w-0">
        <div className="flex min-h-8 flex-wrap items-center gap-x-2.5 gap-y-1">{children(fault === undefined ? undefined : faultId)}</div>
        {fault !== undefined && (
          <p id={faultId} role="alert" className="text-down">
            {fault}
          </p>
        )}
      </div>
    </div>
  );
}

interface NumberProperties {
  label: string;
  value: string;
  faultId: string | undefined;
  isQuiet?: boolean;
  onChange: (value: string) => void;
}

function NumberInput({ label, value, faultId, isQuiet = false, onChange }: NumberProperties) {
  return (
    <input
      type="text"
      inputMode="decimal"
      aria-label={label}
      aria-invalid={faultId !== undefined}
      aria-describedby={faultId}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      className={classNames(
        "h-8 w-16 rounded border max-md:h-10 border-line-strong bg-surface px-2 text-right tabular-nums focus-visible:-outline-offset-1 aria-invalid:border-down",
        isQuiet && "text-ink-3",
      )}
    />
  );
}

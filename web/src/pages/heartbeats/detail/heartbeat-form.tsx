import { useEffect, useRef, useState, type ReactNode } from "react";
import { HEARTBEAT_BOUNDS } from "../../../../../src/contract/heartbeat.ts";
import type { CreateBody } from "../../../../../src/monitoring/heartbeats/api.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { areShownAtFields, serverFaults } from "../../../ui/forms/server-faults.ts";
import { UnsavedChanges } from "../../../ui/forms/unsaved-changes.tsx";
import { draftFaults, fieldsOf, readDraft, type DraftField, type HeartbeatDraft } from "../../../entities/heartbeats/draft.ts";
import { ScheduleFields } from "./schedule-fields.tsx";
import { HeartbeatField, type FieldState } from "./heartbeat-field.tsx";

interface Properties {
  /** What the form begins with. */
  initial: HeartbeatDraft;
  submitLabel: string;
  /** What failed, as a sentence. */
  failure: string;
  isSaving: boolean;
  error: Error | null;
  onSubmit: (body: CreateBody) => void;
  /** It is what its page is for: it takes the focus, and asks before its changes are lost. In a window, that asks. */
  fillsPage?: boolean;
  /** Beside the button that submits. */
  children?: ReactNode;
}

/** The settings of a heartbeat. Faults stand beside their fields: ours when a field is left, the server's when it refuses. */
export function HeartbeatForm({ initial, submitLabel, failure, isSaving, error, onSubmit, fillsPage = false, children }: Properties) {
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<DraftField>>(new Set());
  const [tries, setTries] = useState(0);
  // The server judged what was sent: its faults are not shown at fields that changed since.
  const [sent, setSent] = useState<HeartbeatDraft>();
  const read = readDraft(draft);
  const ours = "faults" in read ? read.faults : {};
  const theirs = draftFaults(serverFaults(error));

  useEffect(() => {
    if (fillsPage) form.current?.querySelector("input")?.focus();
  }, [fillsPage]);

  // After a refusal, by this form or by the server, the first fault gets the focus.
  const attempt = error === null ? tries : -tries;
  useEffect(() => {
    if (attempt !== 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [attempt]);

  function field(name: DraftField): FieldState {
    const isLeft = tries > 0 || left.has(name);
    return {
      value: draft[name],
      fault: (isLeft ? ours[name] : undefined) ?? (sent !== undefined && sent[name] === draft[name] ? theirs[name] : undefined),
      change: (value) => setDraft((current) => ({ ...current, [name]: value })),
      leave: () => setLeft((current) => (current.has(name) ? current : new Set([...current, name]))),
    };
  }

  function submit(): void {
    setTries((count) => count + 1);
    if (!("body" in read) || isSaving) return;
    setSent(draft);
    onSubmit(read.body);
  }

  const isShownAtFields = areShownAtFields(serverFaults(error), fieldsOf(draft.kind));
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <HeartbeatField label="Name" isRequired state={field("name")} placeholder="nightly-backup" maxLength={HEARTBEAT_BOUNDS.nameLength} />
      <ScheduleFields kind={draft.kind} onKind={(kind) => setDraft((current) => ({ ...current, kind }))} field={field} />
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <HeartbeatField
          label="Grace"
          state={field("grace")}
          hint={
            draft.kind === "cron"
              ? "How long after its start a ping may come: longer than the job runs, unless it also pings /start"
              : "How late a ping may be, such as 5 min"
          }
        />
        <HeartbeatField
          label="Max runtime"
          state={field("maxRuntime")}
          placeholder="no limit"
          hint="Longer runs fail; leave empty for no limit"
        />
      </div>
      <HeartbeatField label="Tags" state={field("tags")} placeholder="database, night" hint="Comma-separated; used for routing" />
      {error !== null && !isShownAtFields && (
        <ErrorNote what={failure} error={error}>
          Your input is kept.
        </ErrorNote>
      )}
      <div className="flex flex-wrap items-center gap-2 pt-1">
        <Button type="submit" kind="primary" disabled={isSaving}>
          {isSaving ? "Saving" : submitLabel}
        </Button>
        {children}
      </div>
      {fillsPage && <UnsavedChanges when={JSON.stringify(draft) !== JSON.stringify(initial)} />}
    </form>
  );
}

import { useQueryClient } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { useMemo, useRef } from "react";
import type { ChannelType, CreateBody, RuleBody } from "../../../../../src/alerting/channels/api.ts";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { addRule, createChannel } from "../../../api/channels.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { useCapability } from "../../../app/capability.ts";
import { useEntityOptions } from "../../../entities/notifications/entity-options.ts";
import { readEntity } from "../../../entities/silences/draft.ts";
import { CheckBox } from "../../../ui/forms/check-box.tsx";
import type { Faults } from "../../../ui/forms/server-faults.ts";
import { FormDialog } from "../../../ui/forms/form-dialog.tsx";
import { ManyPicker } from "../../../ui/forms/many-picker.tsx";
import { useDraft } from "../../../ui/forms/use-draft.ts";
import { ChannelFields } from "./channel-fields.tsx";
import { CHANNEL_FIELDS, type ChannelDraft, newDraft, readNew } from "./draft.ts";
import { KIND_GUIDES, KINDS } from "../../../entities/notifications/kind-guides.ts";

interface Properties {
  /** The kind that was chosen; anything else asks for one. */
  kind: string;
  onKind: (kind: ChannelType) => void;
  onClose: () => void;
  onSaved: (saved: ChannelRecord) => void;
}

/** Makes a channel: first its kind is chosen, then the fields of that kind are filled in. */
export function CreateDialog({ kind, onKind, onClose, onSaved }: Properties) {
  const type = KINDS.find((known) => known === kind);
  const capability = useCapability();
  const gate = type === undefined ? undefined : capability(KIND_GUIDES[type].capability);
  if (type === undefined || gate?.isGranted === false) return <KindChoice onKind={onKind} onClose={onClose} />;
  return <NewChannel key={type} type={type} onClose={onClose} onSaved={onSaved} />;
}

function KindChoice({ onKind, onClose }: Pick<Properties, "onKind" | "onClose">) {
  const capability = useCapability();
  return (
    <Dialog open onClose={onClose} title="Choose a channel type">
      <ul className="grid gap-2 sm:grid-cols-2">
        {KINDS.map((type) => {
          const { name, what, capability: needed } = KIND_GUIDES[type];
          const { isGranted, edition } = capability(needed);
          return (
            <li key={type} className="flex">
              <button
                type="button"
                disabled={!isGranted}
                onClick={() => onKind(type)}
                className="flex w-full flex-col items-start gap-0.5 rounded border border-line-strong bg-surface px-3 py-2 text-left enabled:hover:bg-hover disabled:border-line disabled:bg-sunken"
              >
                <span className="flex items-center gap-2 font-[550]">
                  {name}
                  {!isGranted && <Lock size={12} aria-hidden className="text-ink-3" />}
                </span>
                <span className="text-xs text-ink-2">{isGranted ? what : `${what}. Part of the ${edition} edition.`}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}

const NOTHING: readonly string[] = [];
const EVERYTHING = { value: "*", label: "Everything", note: "All that is monitored" };

interface NewChannelDraft extends ChannelDraft {
  /** What it is to be notified of: `group:shop`, or everything. */
  about: readonly string[];
  /** Whether also of what can wait, such as each available update. */
  hasInfo: boolean;
}

interface NewChannelBody {
  channel: CreateBody;
  rules: RuleBody[];
}

function rulesOf({ about, hasInfo }: NewChannelDraft): RuleBody[] {
  const severities = hasInfo ? [null] : (["critical", "warning"] as const);
  return about.flatMap((entity) => {
    const which = entity === EVERYTHING.value ? { entity_type: null, entity_id: null } : readEntity(entity);
    return severities.map((severity) => ({ severity, source: null, ...which }));
  });
}

function NewChannel({ type, onClose, onSaved }: { type: ChannelType } & Pick<Properties, "onClose" | "onSaved">) {
  const queryClient = useQueryClient();
  const entities = useEntityOptions({ withScopes: true });
  const options = useMemo(() => [EVERYTHING, ...entities], [entities]);
  const made = useRef<ChannelRecord>(undefined);
  const ruled = useRef(0);
  const { draft, change, fault, form } = useDraft({
    initial: { ...newDraft(type), about: NOTHING, hasInfo: false },
    read(current: NewChannelDraft): { body: NewChannelBody } | { faults: Faults } {
      const read = readNew(current);
      return "faults" in read ? read : { body: { channel: read.body, rules: rulesOf(current) } };
    },
    async save({ channel, rules }) {
      // What was made before its rule failed is not made again.
      made.current ??= await createChannel(channel);
      for (const [at, rule] of rules.entries())
        if (at >= ruled.current) await addRule(made.current.id, rule).then(() => (ruled.current = at + 1));
      return made.current;
    },
    fields: CHANNEL_FIELDS,
    async onSaved(saved) {
      // The page that opens next shows it.
      await queryClient.invalidateQueries({ queryKey: ["channels"] });
      onSaved(saved);
    },
  });
  return (
    <FormDialog
      title={`New ${KIND_GUIDES[type].name} channel`}
      action="Add channel"
      failure="The channel was not added."
      {...form}
      onClose={onClose}
    >
      <ChannelFields draft={draft} change={change} fault={fault} />
      <ManyPicker
        label="Alerts about"
        placeholder="Everything, a group, host, container, ..."
        hint="These become the rules of the channel. Without any, nothing is sent until you add one."
        none="No results."
        options={options}
        values={draft.about}
        fault={fault("entity_id") ?? fault("entity_type")}
        onChange={(about) => change({ about })}
      />
      <CheckBox
        label="Info alerts too"
        hint="Such as each available update."
        checked={draft.hasInfo}
        onChange={(hasInfo) => change({ hasInfo })}
      />
    </FormDialog>
  );
}

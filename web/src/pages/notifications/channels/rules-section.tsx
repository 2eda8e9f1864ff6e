import { useMutation, useQueryClient } from "@tanstack/react-query";
import { X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { ChannelRecord, RuleRecord } from "../../../../../src/alerting/channels/answers.ts";
import { removeRule } from "../../../api/channels.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Section } from "../../../ui/section.tsx";
import { useEntityName } from "../../../entities/notifications/entity-options.ts";
import { ruleWords } from "./rule-words.ts";

const AddRule = lazy(() => import("./add-rule.tsx").then((module) => ({ default: module.AddRule })));

/** The channel's own rules: each sends alerts here. */
export function RulesSection({ channel: { id, rules } }: { channel: ChannelRecord }) {
  const nameOf = useEntityName();
  const [isAdding, setAdding] = useState(false);
  return (
    <Section title="Which alerts go here" aside={rules.length > 1 ? "Any of these rules matches" : undefined}>
      <ul aria-label="Rules">
        {rules.map((rule) => (
          <Rule key={rule.id} channelId={id} rule={rule} words={ruleWords(rule, nameOf)} />
        ))}
      </ul>
      {rules.length === 0 && (
        <p className="py-3 text-ink-2">
          No rules yet. Add one to choose which alerts are sent here. (Triggers, escalation policies and the label service.alert.channels
          can name this channel too.)
        </p>
      )}
      {isAdding ? (
        <Suspense>
          <AddRule channelId={id} onClose={() => setAdding(false)} />
        </Suspense>
      ) : (
        <Button className="mt-3" onClick={() => setAdding(true)}>
          Add a rule
        </Button>
      )}
    </Section>
  );
}

function Rule({ channelId, rule, words }: { channelId: number; rule: RuleRecord; words: string }) {
  const queryClient = useQueryClient();
  const removal = useMutation({
    mutationFn: () => removeRule(channelId, rule.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["channels"] }),
  });
  return (
    <li className="border-b border-line py-0.5">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">{words}</span>
        <IconButton icon={X} label={`Remove the rule: ${words}`} disabled={removal.isPending} onClick={() => removal.mutate()} />
      </div>
      {removal.isError && <ErrorNote what="The rule was not removed." error={removal.error} />}
    </li>
  );
}

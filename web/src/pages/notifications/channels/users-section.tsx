import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { policiesQuery } from "../../../api/policies.ts";
import { triggersQuery } from "../../../api/triggers.ts";
import { Section } from "../../../ui/section.tsx";
import { useCapability } from "../../../app/capability.ts";

const LINK = "text-accent hover:underline";

/** Which triggers and escalation policies name the channel; nothing where none does. */
export function UsersSection({ channel: { id } }: { channel: ChannelRecord }) {
  const { isGranted, isAsked } = useCapability()("escalation");
  const { data: triggers } = useQuery(triggersQuery);
  const { data: policies } = useQuery({ ...policiesQuery, enabled: isGranted && !isAsked });
  const byTrigger = triggers?.triggers.filter(({ channel_ids }) => channel_ids.includes(id)) ?? [];
  const byPolicy = policies?.policies.filter(({ levels }) => levels.some(({ channel_ids }) => channel_ids.includes(id))) ?? [];
  if (byTrigger.length + byPolicy.length === 0) return null;
  return (
    <Section title="Also used by">
      <ul className="py-1.5">
        {byTrigger.map((trigger) => (
          <li key={`trigger ${trigger.id}`} className="py-1">
            Trigger{" "}
            <Link to="/notifications/routing" search={{ edit: String(trigger.id) }} className={LINK}>
              <bdi>{trigger.name}</bdi>
            </Link>
            {!trigger.enabled && <span className="text-ink-2">, disabled</span>}
          </li>
        ))}
        {byPolicy.map((policy) => (
          <li key={`policy ${policy.id}`} className="py-1">
            Escalation policy{" "}
            <Link to="/notifications/escalation" search={{ edit: String(policy.id) }} className={LINK}>
              <bdi>{policy.name}</bdi>
            </Link>
            {!policy.active && <span className="text-ink-2">, disabled</span>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

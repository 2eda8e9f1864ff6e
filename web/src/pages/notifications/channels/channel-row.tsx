import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { testChannel } from "../../../api/channels.ts";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { Name } from "../../../ui/name.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { TestAnswer, TestButton } from "../test-result.tsx";
import { healthOf } from "./health-words.ts";
import { KIND_GUIDES } from "../../../entities/notifications/kind-guides.ts";
import { rulesSummary } from "./rule-words.ts";

/** One channel in the list. */
export function ChannelRow({ channel, nameOf }: { channel: ChannelRecord; nameOf: (entity: string) => string }) {
  const { id, name, type, rules, last_delivery_at, last_error } = channel;
  const { status, word } = healthOf(channel);
  const test = useMutation({ mutationFn: () => testChannel(id) });
  return (
    <li className="relative border-b border-line py-2 hover:bg-hover max-md:-mx-4 max-md:px-4 md:px-2.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 md:grid-cols-[minmax(0,1.2fr)_8rem_8rem_minmax(0,1.6fr)_auto]">
        <div className="min-w-0">
          <Link
            to="/notifications/channels/$id"
            params={{ id }}
            className="block min-w-0 font-[550] outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <Name>{name}</Name>
          </Link>
          <span className="text-xs text-ink-2">{KIND_GUIDES[type].name}</span>
        </div>
        <Changed value={word} className="inline-flex items-center gap-2 max-md:order-3">
          <StatusIcon status={status} />
          {word}
        </Changed>
        <span className="text-ink-2 max-md:order-4 max-md:justify-self-end max-md:text-xs">
          {last_delivery_at === null ? (
            "Nothing sent yet"
          ) : (
            <>
              Sent <Age at={last_delivery_at} form="ago" />
            </>
          )}
        </span>
        <span className="min-w-0 truncate text-ink-2 max-md:order-5 max-md:col-span-2 max-md:text-sm">{rulesSummary(rules, nameOf)}</span>
        <span className="relative z-1 justify-self-end max-md:order-2">
          <TestButton test={test} of={name} label="Test" />
        </span>
      </div>
      {last_error !== null && (
        <p dir="auto" className="mt-0.5 max-w-[110ch] text-sm wrap-anywhere text-ink-2">
          {last_error}
        </p>
      )}
      <TestAnswer test={test} />
    </li>
  );
}

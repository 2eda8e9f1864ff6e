import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import type { McpView } from "../../../../../src/mcp/server/answers.ts";
import { mcpQuery } from "../../../api/assistants.ts";
import { useTitle } from "../../../app/use-title.ts";
import { useRowKeys } from "../../../lists/use-row-keys.ts";
import { Section } from "../../../ui/section.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { SettingsFrame } from "../settings-frame.tsx";
import { ConnectionsSection } from "./connections-section.tsx";
import { SetupSection } from "./setup-section.tsx";
import { StateSection } from "./state-section.tsx";
import { SCOPE_WORDS } from "./words.ts";

/** Whether and how AI assistants may look at what is watched, and which do. */
export function AssistantsPage() {
  useRowKeys();
  useTitle("Assistants");
  const query = useQuery(mcpQuery);
  return (
    <SettingsFrame>
      <p className="mt-5 max-w-[72ch] text-ink-2">
        An assistant such as Claude can query Binnacle over the Model Context Protocol (MCP): what is down and why, what changed, what the
        logs say. It is read-only, except for acknowledging alerts if you allow it.
      </p>
      <Reading what="settings of assistants" query={query}>
        Connected assistants stay connected.
      </Reading>
      {query.data !== undefined && <Known view={query.data} />}
    </SettingsFrame>
  );
}

function Known({ view }: { view: McpView }) {
  return (
    <>
      <StateSection view={view} />
      <ConnectionsSection view={view} />
      <SetupSection view={view} />
      <Section title="Permissions">
        <dl className="py-1.5">
          {view.scopes.map((scope) => (
            <div key={scope} className="grid gap-x-6 py-1.5 sm:grid-cols-[7rem_minmax(0,1fr)]">
              <dt className="font-mono text-xs leading-5">{scope}</dt>
              <dd className="max-w-[72ch]">{SCOPE_WORDS[scope].sentence}</dd>
            </div>
          ))}
        </dl>
        <p className="max-w-[72ch] pb-1 text-ink-2">
          Everything an assistant reads, including log lines, is sent to its model provider. Binnacle masks the secrets it recognises, but
          it may miss some.
        </p>
      </Section>
      <OfferSection title="Tools" offers={view.tools} />
      <OfferSection title="Prompts" offers={view.prompts} />
    </>
  );
}

interface Offer {
  name: string;
  title: string;
  description: string;
  /** Changes something. */
  writes?: boolean;
}

/** What an assistant finds, each with its description for the model. */
function OfferSection({ title, offers }: { title: string; offers: readonly Offer[] }) {
  if (offers.length === 0) return null;
  return (
    <Section title={title} aside={String(offers.length)}>
      <ul aria-label={title}>
        {offers.map(({ name, title: what, description, writes = false }) => (
          <li key={name} className="border-b border-line">
            <details className="group">
              <summary className="grid min-h-9 max-md:min-h-10 cursor-pointer list-none grid-cols-[14px_minmax(0,1fr)] items-center gap-x-3 py-1.5 hover:bg-hover md:grid-cols-[14px_15rem_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
                <ChevronRight size={14} aria-hidden className="text-ink-3 group-open:rotate-90" />
                <span>{what}</span> <code className="font-mono text-xs text-ink-2 max-md:col-start-2">{name}</code>{" "}
                {writes && <span className="text-xs text-ink-2 max-md:col-start-2">needs alerts:write</span>}
              </summary>
              <p className="max-w-[72ch] pt-0.5 pb-3 pl-[26px] text-ink-2">{description}</p>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

import { getRouteApi } from "@tanstack/react-router";
import type { McpView } from "../../../../../src/mcp/server/answers.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { Tab, Tabs } from "../../../ui/tabs.tsx";
import { CLIENTS } from "./search.ts";
import { CLIENT_NAMES, httpSnippets, missingRedirect, stdioSnippet, type Snippet } from "./snippets.ts";

const route = getRouteApi("/settings/assistants");

/** What to copy into the usual clients. */
export function SetupSection({ view }: { view: McpView }) {
  const { client = "claude-code" } = route.useSearch();
  const overHttp = httpSnippets(client, view);
  const setting = missingRedirect(client, view);
  return (
    <Section title="Connect an assistant">
      <div className="mt-2">
        <Tabs label="Assistants">
          {CLIENTS.map((each) => (
            <Tab
              key={each}
              to="/settings/assistants"
              search={{ client: each }}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
              current={client === each}
            >
              <span className="whitespace-nowrap">{CLIENT_NAMES[each]}</span>
            </Tab>
          ))}
        </Tabs>
      </div>
      <h3 className="mt-4 font-[550]">Over HTTP</h3>
      {overHttp === undefined && <p className="text-ink-2">Disabled. See above how to enable it.</p>}
      {overHttp !== undefined && setting !== undefined && (
        <div role="note" className="mt-2 flex gap-3 rounded border border-line bg-degraded-soft px-4 py-3">
          <StatusIcon status="degraded" className="mt-1" />
          <div className="flex min-w-0 flex-1 flex-col gap-2">
            <p>{CLIENT_NAMES[client]} is not allowed yet: set this variable first, then restart Binnacle.</p>
            <CommandLine command={setting} />
          </div>
        </div>
      )}
      {overHttp?.map((snippet) => (
        <Copyable key={snippet.todo} {...snippet} />
      ))}
      <h3 className="mt-5 font-[550]">On the host of Binnacle</h3>
      {view.stdio.available ? (
        <>
          <Copyable {...stdioSnippet(client, view)} />
          <p className="max-w-[72ch] pt-2 text-ink-2">
            It connects immediately and is read-only.
            {view.stdio.command[0] === "docker" && " The word after -i is the name of your container."}
            {view.stdio.command[0] === "kubectl" && " The word after -i is your Deployment; name its namespace with -n."}
          </p>
        </>
      ) : (
        <p className="text-ink-2">{view.stdio.reason}</p>
      )}
    </Section>
  );
}

function Copyable({ todo, code, after }: Snippet) {
  return (
    <div className="mt-1 flex flex-col gap-2">
      <p className="max-w-[72ch] text-ink-2">{todo}</p>
      <CommandLine command={code} />
      {after !== undefined && <p className="max-w-[72ch] text-ink-2">{after}</p>}
    </div>
  );
}

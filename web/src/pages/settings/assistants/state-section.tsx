import { useState, type ReactNode } from "react";
import type { McpView } from "../../../../../src/mcp/server/answers.ts";
import type { Status } from "../../../format/status.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Section } from "../../../ui/section.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { switchOn } from "./snippets.ts";
import { reachesNobody } from "./words.ts";

/** How assistants reach this installation, or what to set so that they can. */
export function StateSection({ view }: { view: McpView }) {
  const { url, client_id: clientId, redirect_uris: redirectUris, stdio } = view;
  return (
    <Section title="State">
      <Facts>
        <Fact name="Over HTTP">
          <HttpState view={view} />
        </Fact>
        {url !== null && (
          <Fact name="Address">
            <Copied text={url} label="Copy the address" />
          </Fact>
        )}
        {clientId !== null && (
          <>
            <Fact name="Client ID">
              <Copied text={clientId} label="Copy the client ID" />
            </Fact>
            <Fact name="Client secret">
              <span className="text-ink-2">The value of SERVICE_MCP_CLIENT_SECRET. Never shown here.</span>
            </Fact>
            <Fact name="Access goes to">
              programs on the computer of the person who allows access{redirectUris.length > 0 && ", and to"}
              {redirectUris.map((uri) => (
                <code key={uri} className="block font-mono text-xs leading-5">
                  {uri}
                </code>
              ))}
            </Fact>
          </>
        )}
        <Fact name="On its host">
          {stdio.available ? (
            <State status="ok">Ready. Read-only, without network or credentials</State>
          ) : (
            <State status="idle">{stdio.reason ?? "Not ready"}</State>
          )}
        </Fact>
      </Facts>
      {url === null && <SwitchOn />}
    </Section>
  );
}

function HttpState({ view: { url, authentication } }: { view: McpView }) {
  if (url === null) return <State status="idle">Off</State>;
  if (authentication === "oauth" && reachesNobody(url))
    return <State status="degraded">On, but assistants cannot reach this address: set SERVICE_BASE_URL to the one they use</State>;
  if (authentication === "oauth") return <State status="ok">On. Connecting requires credentials and your consent</State>;
  return (
    <State status="degraded">
      On, without authentication: anyone who can reach the address can read everything. To require it, set SERVICE_MCP_CLIENT_ID and
      SERVICE_MCP_CLIENT_SECRET
    </State>
  );
}

function State({ status, children }: { status: Status; children: ReactNode }) {
  return (
    <span className="flex items-baseline gap-2">
      <StatusIcon status={status} className="translate-y-px" />
      <span>{children}</span>
    </span>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <span className="-my-1.5 flex items-center gap-1">
      <code className="font-mono text-xs">{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}

/** The variables that switch it on, with a secret that exists nowhere else. */
function SwitchOn() {
  const [secret] = useState(makeSecret);
  return (
    <div className="flex max-w-[72ch] flex-col gap-2 pt-2">
      <p>To enable assistants over HTTP, set these three variables and restart Binnacle.</p>
      <CommandLine command={switchOn(secret)} />
      <p className="text-ink-2">
        Your browser generated this secret and it is not stored: you will need it again in the assistant. You can choose any ID. An
        assistant on another computer also needs SERVICE_MCP_REDIRECT_URIS.
      </p>
    </div>
  );
}

function makeSecret(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

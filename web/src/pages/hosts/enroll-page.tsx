import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import type { CreatedToken } from "../../../../src/fleet/enrollment/answers.ts";
import { tokensQuery } from "../../api/agents.ts";
import { healthQuery } from "../../api/queries.ts";
import { Breadcrumb } from "../../app/breadcrumb.tsx";
import { useCapability } from "../../app/capability.ts";
import { Page } from "../../app/page.tsx";
import { useTitle } from "../../app/use-title.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { EditionGate } from "../../entities/updates/gate.tsx";
import { EnrollForm } from "./enroll-form.tsx";
import { EnrollProgress } from "./enroll-progress.tsx";
import { InstallSection } from "./install-section.tsx";
import { ServerMode } from "./other-hosts.tsx";

const route = getRouteApi("/hosts/new");

/** Adds a host: makes a token, shows what to run there, and waits until its agent is connected. */
export function EnrollPage() {
  useTitle("Add a host");
  const { token } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { isGranted, isAsked, edition } = useCapability()("agents");
  const { data: health } = useQuery(healthQuery);
  const isEmbedded = health?.mode === "embedded";
  const isReady = !isAsked && isGranted && health !== undefined && !isEmbedded;
  // Its text is nowhere but here: who leaves or reloads the page sees it no more.
  const [created, setCreated] = useState<CreatedToken | undefined>(undefined);

  function take(answer: CreatedToken): void {
    setCreated(answer);
    void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey });
    void navigate({ search: (search) => ({ ...search, token: answer.id }), replace: true });
  }

  return (
    <Page narrow>
      <Breadcrumb to="/hosts">Hosts</Breadcrumb>
      <h1 className="mt-1 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] sm:text-xl">Add a host</h1>
      <p className="mt-1.5 max-w-[68ch] text-ink-2">
        An agent on the host connects to this server and sends its data. Each host needs its own single-use token.
      </p>
      <p className="mt-3 font-[550]">What it needs</p>
      <ul className="mt-1 max-w-[68ch] list-disc pl-5 text-ink-2">
        <li>This server in server mode (SERVICE_MODE=server), with the Personal edition or above.</li>
        <li>
          An address at which the host reaches this server, which listens for agents on port 8443 (TLS, gRPC) by default. Set
          SERVICE_GRPC_URL to that address before you generate a token: it is part of what the host runs. Without it, agents are sent to
          port 443, where a proxy may be, and 127.0.0.1 only works on this machine.
        </li>
        <li>The Binnacle image on that host, or Node and the program: build it there, or load it from here.</li>
      </ul>
      {isAsked && <SkeletonRows count={3} label="Loading edition" />}
      {!isAsked && !isGranted && (
        <EditionGate edition={edition} what="Other hosts">
          an agent on each host that sends its data to this server. The local host is monitored in every edition.
        </EditionGate>
      )}
      {!isAsked && isGranted && isEmbedded && (
        <div className="mt-6 flex max-w-[72ch] flex-col items-start gap-3">
          <ServerMode />
        </div>
      )}
      {isReady && token === undefined && <EnrollForm onCreated={take} />}
      {isReady && token !== undefined && (
        <EnrollProgress key={token} id={token}>
          {created?.id === token ? (
            <InstallSection created={created} />
          ) : (
            <p className="mt-4 max-w-[68ch]">
              This token was shown once and is not stored. Start the agent with it, or{" "}
              <Link to="/hosts/new" search={{}} className="underline underline-offset-2">
                generate another token
              </Link>
              .
            </p>
          )}
        </EnrollProgress>
      )}
    </Page>
  );
}

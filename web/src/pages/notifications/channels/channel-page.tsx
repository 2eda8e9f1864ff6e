import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { channelsQuery } from "../../../api/alert-queries.ts";
import { NoSuchThing } from "../../../app/no-such-thing.tsx";
import { Page } from "../../../app/page.tsx";
import { useTitle } from "../../../app/use-title.ts";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Section } from "../../../ui/section.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { ChannelHeader } from "./channel-header.tsx";
import { headersOf } from "./draft.ts";
import { KIND_GUIDES } from "../../../entities/notifications/kind-guides.ts";
import { RulesSection } from "./rules-section.tsx";
import { UsersSection } from "./users-section.tsx";

const route = getRouteApi("/notifications/channels/$id");
const EditDialog = lazy(() => import("./edit-dialog.tsx").then((module) => ({ default: module.EditDialog })));

/** One channel: whether it works, what goes there, how it is reached. */
export function ChannelPage() {
  const { id } = route.useParams();
  const query = useQuery(channelsQuery);
  const channel = query.data?.channels.find((each) => each.id === id);
  useTitle(channel?.name ?? `Channel ${id}`);
  if (query.data !== undefined && channel === undefined) return <NoSuchChannel />;
  return (
    <Page>
      <Reading what="channel" query={query}>
        Alerts are still sent.
      </Reading>
      {channel !== undefined && <Known key={id} channel={channel} />}
    </Page>
  );
}

function Known({ channel }: { channel: ChannelRecord }) {
  const { edit } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <ChannelHeader channel={channel} />
      <RulesSection channel={channel} />
      <UsersSection channel={channel} />
      <ReachSection channel={channel} />
      {edit !== undefined && (
        <Suspense>
          <EditDialog
            channel={channel}
            onClose={() => void navigate({ search: (search) => ({ ...search, edit: undefined }), replace: true, resetScroll: false })}
          />
        </Suspense>
      )}
    </>
  );
}

function ReachSection({ channel: { type, url, headers, created_at, updated_at } }: { channel: ChannelRecord }) {
  const names = headersOf(headers).map(({ name }) => name);
  return (
    <Section title="Connection">
      <Facts>
        <Fact name="Type">{KIND_GUIDES[type].name}</Fact>
        <Fact name="URL">
          <code className="font-mono text-xs">{url}</code>
        </Fact>
        {names.length > 0 && <Fact name="Headers">{names.join(", ")}</Fact>}
        <Fact name="Created">
          <Timestamp at={created_at} precision="minute" />
        </Fact>
        <Fact name="Changed">
          <Timestamp at={updated_at} precision="minute" />
        </Fact>
      </Facts>
    </Section>
  );
}

function NoSuchChannel() {
  return (
    <NoSuchThing kind="Channel" to="/notifications" list="channels">
      It was deleted.
    </NoSuchThing>
  );
}

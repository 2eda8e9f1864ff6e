import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import type { ChannelRecord } from "../../../../../src/alerting/channels/answers.ts";
import { channelsQuery } from "../../../api/alert-queries.ts";
import { useTitle } from "../../../app/use-title.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { useEntityName } from "../../../entities/notifications/entity-options.ts";
import { NotificationsFrame } from "../frame.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { ChannelRow } from "./channel-row.tsx";

const route = getRouteApi("/notifications");
const CreateDialog = lazy(() => import("./create-dialog.tsx").then((module) => ({ default: module.CreateDialog })));

/** Every channel: whether it works, when it was last reached, what goes there. */
export function ChannelsPage() {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(channelsQuery);
  const channels = query.data?.channels ?? [];
  const failing = channels.filter(({ enabled, health }) => enabled && health === "failing").length;
  useTitle(
    query.data === undefined ? "Channels" : `Channels (${formatCount(channels.length)}${failing === 0 ? "" : `, ${failing} failing`})`,
  );

  function openForm(kind: string | undefined): void {
    void navigate({ search: (search) => ({ ...search, create: kind }), replace: kind === undefined, resetScroll: false });
  }

  return (
    <NotificationsFrame
      note={query.data && channelsNote(channels.length, failing)}
      action={
        <Button kind="primary" className="max-sm:w-full" onClick={() => openForm("yes")}>
          <Plus size={16} aria-hidden /> Add channel
        </Button>
      }
    >
      <Reading what="channels" query={query}>
        Alerts are still sent.
      </Reading>
      {query.data !== undefined && channels.length === 0 && <NoChannels onAdd={() => openForm("yes")} />}
      {channels.length > 0 && <ChannelList channels={channels} />}
      {create !== undefined && (
        <Suspense>
          <CreateDialog
            kind={create}
            onKind={openForm}
            onClose={() => openForm(undefined)}
            onSaved={({ id }) => void navigate({ to: "/notifications/channels/$id", params: { id }, search: {}, replace: true })}
          />
        </Suspense>
      )}
    </NotificationsFrame>
  );
}

function channelsNote(total: number, failing: number): string {
  if (total === 0) return "";
  return failing === 0 ? countOf(total, "channel") : `${countOf(total, "channel")}, ${failing} failing`;
}

function ChannelList({ channels }: { channels: readonly ChannelRecord[] }) {
  const nameOf = useEntityName();
  return (
    <ul aria-label="Channels" className="mt-2">
      {channels.map((channel) => (
        <ChannelRow key={channel.id} channel={channel} nameOf={nameOf} />
      ))}
    </ul>
  );
}

function NoChannels({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title="No channels yet">
      <p>
        Alerts are sent to channels: Discord, a phone via ntfy or Telegram, a webhook and others. Add a channel, choose which alerts go
        there, then send a test. Until then alerts only appear in the app.
      </p>
      <Button onClick={onAdd}>Add a channel</Button>
    </EmptyState>
  );
}

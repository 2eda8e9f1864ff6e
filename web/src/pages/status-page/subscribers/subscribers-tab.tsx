import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { SubscriberList, SubscriberRecord } from "../../../../../src/publishing/status/subscribers/answers.ts";
import { deleteSubscriber, subscribersQuery } from "../../../api/status-subscribers.ts";
import { statusSettingsQuery } from "../../../api/status-settings.ts";
import { useTitle } from "../../../app/use-title.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { Age } from "../../../ui/age.tsx";
import { CommandLine } from "../../../ui/command-line.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { SearchField } from "../../../ui/search-field.tsx";
import { Select } from "../../../ui/select.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { MoreRows } from "../../../ui/more-rows.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { useLater } from "../../../ui/forms/use-later.ts";
import { useComponentName } from "../../../entities/status-page/use-component-names.ts";

const route = getRouteApi("/status-page/subscribers");

/** Who gets mails of incidents and maintenance. */
export function SubscribersTab() {
  const { q, status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery(subscribersQuery({ q: useLater(q, 250), status }));
  const [first] = query.data?.pages ?? [];
  const subscribers = query.data?.pages.flatMap((page) => page.subscribers) ?? [];
  const isNarrowed = q !== undefined || status !== undefined;
  const everybody = first === undefined ? 0 : first.counts.confirmed + first.counts.pending;
  useTitle(first === undefined ? "Subscribers" : `Subscribers (${formatCount(first.counts.confirmed)})`);
  return (
    <>
      {first?.mail === false && <NoMail />}
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <SearchField
          label="Search addresses"
          pageFilter
          trailing={null}
          value={q ?? ""}
          onChange={(next) =>
            void navigate({ search: (search) => ({ ...search, q: next || undefined }), replace: true, resetScroll: false })
          }
          className="w-64 max-sm:w-full"
        />
        <Select
          label="Status"
          value={status ?? ""}
          choices={[
            { value: "", label: "any" },
            { value: "confirmed", label: "confirmed", ...(first && { count: first.counts.confirmed }) },
            { value: "pending", label: "unconfirmed", ...(first && { count: first.counts.pending }) },
          ]}
          onChange={(next) => void navigate({ search: (search) => ({ ...search, status: next || undefined }), resetScroll: false })}
        />
        {first !== undefined && <p className="ml-auto text-sm text-ink-2 tabular-nums max-sm:ml-0">{countWords(first)}</p>}
      </div>
      <Reading what="subscribers" query={query}>
        They still get their emails.
      </Reading>
      {first !== undefined && everybody === 0 && first.mail && <NoSubscribers />}
      {first !== undefined && everybody > 0 && subscribers.length === 0 && (
        <EmptyState title="No results">
          <p>{isNarrowed ? "No matching address." : "No subscribers here."}</p>
        </EmptyState>
      )}
      {subscribers.length > 0 && (
        <ul aria-label="Subscribers" className="mt-2">
          {subscribers.map((subscriber) => (
            <Subscriber key={subscriber.id} subscriber={subscriber} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <MoreRows
          what="subscriber"
          hidden={Math.max((first?.total ?? 0) - subscribers.length, 1)}
          isReading={query.isFetchingNextPage}
          onMore={() => void query.fetchNextPage()}
        />
      )}
    </>
  );
}

function countWords({ counts, mails_waiting }: SubscriberList): string {
  return [
    `${formatCount(counts.confirmed)} confirmed`,
    ...(counts.pending === 0 ? [] : [`${formatCount(counts.pending)} unconfirmed`]),
    ...(mails_waiting === 0 ? [] : [countOf(mails_waiting, "email queued", "emails queued")]),
  ].join(", ");
}

function Subscriber({ subscriber }: { subscriber: SubscriberRecord }) {
  const queryClient = useQueryClient();
  const nameOf = useComponentName();
  const [isDeleting, setDeleting] = useState(false);
  const { id, email, status, components, created_at, confirmed_at, last_mail_at, last_error } = subscriber;
  const removal = useMutation({
    mutationFn: () => deleteSubscriber(id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["status", "subscribers"] }),
  });
  const isConfirmed = status === "confirmed";
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 border-b border-line py-2 sm:px-2.5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="min-w-0 font-[550] wrap-anywhere">
            <bdi>{email}</bdi>
          </span>
          <span className="inline-flex items-center gap-2 text-sm">
            <StatusIcon status={last_error !== null ? "degraded" : isConfirmed ? "ok" : "idle"} size={10} />
            {isConfirmed ? "Confirmed" : "Unconfirmed"}
          </span>
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-ink-2">
          <span>
            {isConfirmed ? "for " : "requested "}
            <Age at={confirmed_at ?? created_at} form={isConfirmed ? "for" : "ago"} />
          </span>
          <span className="min-w-0 wrap-anywhere">
            {components.length === 0 ? "all components" : <bdi>{components.map(nameOf).join(", ")}</bdi>}
          </span>
          {last_mail_at !== null && (
            <span>
              last email <Age at={last_mail_at} form="ago" />
            </span>
          )}
        </p>
        {last_error !== null && (
          <p dir="auto" className="mt-0.5 text-sm wrap-anywhere text-ink-2">
            The last email failed. {last_error}
          </p>
        )}
      </div>
      <IconButton icon={Trash2} label={`Delete ${email}`} onClick={() => setDeleting(true)} />
      <ConfirmDialog
        open={isDeleting}
        title={`Delete ${email}?`}
        action="Delete subscriber"
        mutation={removal}
        failure="The subscriber was not deleted."
        onClose={() => setDeleting(false)}
      >
        <p>This address gets no more emails and is deleted. Its owner can subscribe again.</p>
      </ConfirmDialog>
    </li>
  );
}

function NoMail() {
  return (
    <div className="mt-4 flex gap-3 rounded border border-line bg-degraded-soft px-4 py-3">
      <StatusIcon status="degraded" size={14} className="mt-[3px]" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p>
          <span className="font-[550]">No mail server is configured.</span> Visitors cannot subscribe and no emails are sent. Configure one
          and restart the server:
        </p>
        <CommandLine command={"SERVICE_SMTP_HOST=mail.example.com\nSERVICE_SMTP_FROM=status@example.com"} />
      </div>
    </div>
  );
}

function NoSubscribers() {
  const { data: settings } = useQuery(statusSettingsQuery);
  return (
    <EmptyState title="No subscribers yet">
      <p>
        Visitors subscribe on the status page and confirm by email. They are notified of incidents and maintenance, for all components or
        the ones they choose. You cannot add subscribers here because owners must confirm their address.
      </p>
      {settings?.published === true && <CommandLine command={settings.public_url} />}
    </EmptyState>
  );
}

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { KEPT_DAYS } from "../../../../src/contract/retention.ts";
import { eventsQuery, namespacesQuery, type EventFilter } from "../../api/kubernetes.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { useTitle } from "../../app/use-title.ts";
import { countOf } from "../../format/number.ts";
import { useLater } from "../../ui/forms/use-later.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { clusterChoices, useClusterName } from "../../entities/kubernetes/cluster-words.ts";
import { EventList } from "./event-list.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { KubernetesFrame } from "./kubernetes-frame.tsx";
import { NoResults } from "./no-results.tsx";
import { ShowMore } from "./show-more.tsx";
import { useListFilter } from "./use-filter.ts";
import { useRowKeys } from "../../lists/use-row-keys.ts";

/** What events are mostly about. */
const KINDS = [
  "Pod",
  "Deployment",
  "ReplicaSet",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "CronJob",
  "Node",
  "PersistentVolumeClaim",
  "Service",
  "Ingress",
];
const TYPES = { warning: "Warning", normal: "Normal" } as const;

/** What the clusters reported, each event once however often it happened: warnings first, then the others. */
export function EventsPage() {
  useRowKeys();
  const list = useListFilter("/kubernetes/events");
  const { filter, narrowed } = list;
  const host = useChosenHost();
  const search = useLater(filter.q, 200);
  const asked: EventFilter = { agent_id: host, search, cluster_id: filter.cluster, namespace: filter.namespace, kind: filter.kind };
  const warnings = useInfiniteQuery({ ...eventsQuery({ ...asked, type: "Warning" }), enabled: filter.state !== "normal" });
  const others = useInfiniteQuery({ ...eventsQuery({ ...asked, type: "Normal" }), enabled: filter.state !== "warning" });
  const { data: namespaceList } = useQuery(namespacesQuery(host));
  const nameOf = useClusterName();
  useTitle("Kubernetes events");

  const shown = [
    ...(filter.state === "normal" ? [] : [{ title: "Warnings", query: warnings }]),
    ...(filter.state === "warning" ? [] : [{ title: "Other events", query: others }]),
  ];
  const [first] = shown;
  const clusters = first?.query.data?.pages.at(-1)?.clusters;
  const isRead = shown.every(({ query }) => query.data !== undefined);
  const isEmpty = isRead && shown.every(({ query }) => query.data?.pages[0]?.events.length === 0);
  const namespaces = [...new Set(namespaceList?.namespaces.map(({ name }) => name))];

  return (
    <KubernetesFrame
      path="/kubernetes/events"
      note={clusters && `Kept for ${KEPT_DAYS.clusterEvents} days`}
      clusters={clusters}
      error={shown.find(({ query }) => query.error !== null)?.query.error ?? null}
      isPending={!isRead && shown.some(({ query }) => query.isPending)}
      onRetry={() => void Promise.all(shown.map(({ query }) => query.refetch()))}
      filter={
        (narrowed || (isRead && !isEmpty)) && (
          <FilterBar
            list={list}
            placeholder="Message, reason or name"
            narrowings={[
              { name: "cluster", label: "Cluster", choices: clusterChoices(clusters, nameOf) },
              { name: "namespace", label: "Namespace", choices: namespaces.map((name) => ({ value: name, label: name })) },
              { name: "kind", label: "About", choices: KINDS.map((kind) => ({ value: kind, label: kind })) },
              { name: "state", label: "Type", choices: Object.entries(TYPES).map(([value, label]) => ({ value, label })) },
            ]}
          />
        )
      }
    >
      {isEmpty &&
        (narrowed ? (
          <NoResults path="/kubernetes/events">No event matches the filters.</NoResults>
        ) : (
          <EmptyState title="No events yet">
            <p>A cluster forgets its events after an hour. From now on they are kept for {KEPT_DAYS.clusterEvents} days.</p>
          </EmptyState>
        ))}
      {isRead &&
        !isEmpty &&
        shown.map(({ title, query }) => {
          const events = query.data?.pages.flatMap((page) => page.events) ?? [];
          return (
            <Section
              key={title}
              title={title}
              aside={events.length > 0 && countOf(events.length, "event") + (query.hasNextPage ? ", and more" : "")}
            >
              {events.length === 0 ? <p className="py-3 text-ink-2">None.</p> : <EventList label={title} events={events} />}
              {query.hasNextPage && (
                <ShowMore isBusy={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()}>
                  {`${countOf(events.length, "event")} loaded`}
                </ShowMore>
              )}
            </Section>
          );
        })}
    </KubernetesFrame>
  );
}

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { ComponentList, GroupList } from "../../../../../src/publishing/status/components/answers.ts";
import { componentsQuery, groupsQuery, saveOrder } from "../../../api/status-components.ts";
import { useTitle } from "../../../app/use-title.ts";
import { formatCount } from "../../../format/number.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { Reading } from "../../../ui/forms/reading.tsx";
import { orderOf, type Arrangement, type Piece } from "../arrangement.ts";
import type { ComponentsSearch } from "../search.ts";
import { Board } from "./board.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";

const route = getRouteApi("/status-page/");
const ComponentDialog = lazy(() => import("./component-dialog.tsx").then((module) => ({ default: module.ComponentDialog })));
const GroupDialog = lazy(() => import("./group-dialog.tsx").then((module) => ({ default: module.GroupDialog })));

/** What is on the page, in its order. */
export function ComponentsTab() {
  const { create, edit, group: renamed } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(componentsQuery);
  const groupQuery = useQuery(groupsQuery);
  const [deleted, setDeleted] = useState<Piece | undefined>(undefined);
  const ordering = useOrdering();
  const components = query.data?.components ?? [];
  const groups = groupQuery.data?.groups ?? [];
  const isRead = query.data !== undefined && groupQuery.data !== undefined;
  const edited = edit === undefined ? undefined : components.find(({ id }) => String(id) === edit);
  const editedGroup = renamed === undefined ? undefined : groups.find(({ id }) => String(id) === renamed);
  useTitle(query.data === undefined ? "Status page" : `Status page (${formatCount(components.length)})`);

  function openForm(form: ComponentsSearch | undefined): void {
    void navigate({
      search: (search) => ({ ...search, create: undefined, edit: undefined, group: undefined, ...form }),
      replace: form === undefined,
      resetScroll: false,
    });
  }

  return (
    <>
      <Reading what="components" query={query.data === undefined ? query : groupQuery}>
        The status page is not affected.
      </Reading>
      {ordering.isError && (
        <ErrorNote what="The new order was not saved." error={ordering.error}>
          The list shows the current order of the page.
        </ErrorNote>
      )}
      {isRead && components.length === 0 && groups.length === 0 && <NoComponents onAdd={() => openForm({ create: "component" })} />}
      {isRead && components.length + groups.length > 0 && (
        <Board
          groups={groups}
          components={components}
          onOrder={ordering.mutate}
          onEdit={({ kind, id }) => openForm(kind === "group" ? { group: String(id) } : { edit: String(id) })}
          onDelete={setDeleted}
        />
      )}
      <Suspense>
        {(create === "component" || edited !== undefined) && (
          <ComponentDialog key={edited?.id ?? "new"} saved={edited} onClose={() => openForm(undefined)} />
        )}
        {(create === "group" || editedGroup !== undefined) && (
          <GroupDialog key={editedGroup?.id ?? "new"} saved={editedGroup} onClose={() => openForm(undefined)} />
        )}
      </Suspense>
      {deleted !== undefined && <DeleteDialog piece={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

/** Saves an order; it is shown at once, and taken back if the server refuses it. */
function useOrdering() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (arrangement: Arrangement) => saveOrder(orderOf(arrangement)),
    async onMutate(arrangement) {
      const order = orderOf(arrangement);
      await queryClient.cancelQueries({ queryKey: componentsQuery.queryKey });
      await queryClient.cancelQueries({ queryKey: groupsQuery.queryKey });
      queryClient.setQueryData(componentsQuery.queryKey, (list) => list && inOrder(list, order.components));
      queryClient.setQueryData(groupsQuery.queryKey, (list) => list && groupsInOrder(list, order.groups));
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: componentsQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey }),
      ]),
  });
}

function inOrder(list: ComponentList, order: readonly { id: number; group_id: number | null }[]): ComponentList {
  const byId = new Map(list.components.map((component) => [component.id, component]));
  const components = order.flatMap(({ id, group_id }) => {
    const component = byId.get(id);
    return component === undefined ? [] : [{ ...component, group_id }];
  });
  return { ...list, components };
}

function groupsInOrder(list: GroupList, order: readonly number[]): GroupList {
  return { ...list, groups: list.groups.toSorted((one, other) => order.indexOf(one.id) - order.indexOf(other.id)) };
}

function NoComponents({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState title="No components yet">
      <p>
        A component is a part of your service as visitors know it: Checkout, Search, Mail. It takes its status from a linked container,
        endpoint, heartbeat or certificate. Host names, targets and errors are never shown.
      </p>
      <Button onClick={onAdd}>Add component</Button>
    </EmptyState>
  );
}

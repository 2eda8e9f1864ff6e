import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { componentsQuery, groupsQuery } from "../../api/status-components.ts";
import type { Option } from "../../ui/forms/many-picker.tsx";

/** How components are called; one that is gone keeps its number. */
export function useComponentName(): (id: number) => string {
  const { data } = useQuery(componentsQuery);
  return useMemo(() => {
    const names = new Map(data?.components.map(({ id, name }) => [id, name]));
    return (id: number) => names.get(id) ?? `component ${id}`;
  }, [data]);
}

/** Every component, by its id as text; those of one name are distinguished by their group. */
export function useComponentOptions(): readonly Option[] {
  const { data } = useQuery(componentsQuery);
  const { data: grouped } = useQuery(groupsQuery);
  return useMemo(() => {
    const groups = new Map(grouped?.groups.map(({ id, name }) => [id, name]));
    return (data?.components ?? []).map(({ id, name, group_id, visible }) => {
      const group = group_id === null ? undefined : groups.get(group_id);
      const notes = [...(group === undefined ? [] : [group]), ...(visible ? [] : ["hidden"])];
      return { value: String(id), label: name, note: notes.length === 0 ? undefined : notes.join(", ") };
    });
  }, [data, grouped]);
}

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { channelsQuery } from "../../api/alert-queries.ts";
import { KIND_GUIDES } from "../../entities/notifications/kind-guides.ts";
import type { Option } from "../../ui/forms/many-picker.tsx";

/** Every channel, by its id as text. */
export function useChannelOptions(): readonly Option[] {
  const { data } = useQuery(channelsQuery);
  return useMemo(
    () =>
      (data?.channels ?? []).map(({ id, name, type, enabled, health }) => ({
        value: String(id),
        label: name,
        note: `${KIND_GUIDES[type].name}${enabled ? (health === "failing" ? ", failing" : "") : ", disabled"}`,
      })),
    [data],
  );
}

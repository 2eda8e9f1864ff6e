import type { ContainerList } from "../../../src/monitoring/containers/answers.ts";

/** Appends the next page to a list of containers: a group that continues there becomes one again. */
export function joinGroups(list: ContainerList, next: ContainerList): ContainerList {
  const last = list.groups.at(-1);
  const [first, ...others] = next.groups;
  if (last === undefined || first === undefined || last.name !== first.name || last.source !== first.source)
    return { ...next, groups: [...list.groups, ...next.groups] };
  const joined = { ...last, containers: [...last.containers, ...first.containers] };
  return { ...next, groups: [...list.groups.slice(0, -1), joined, ...others] };
}

import { useQuery } from "@tanstack/react-query";
import { subscriberCountsQuery } from "../../../api/status-subscribers.ts";
import { countOf } from "../../../format/number.ts";
import { CheckBox } from "../../notifications/check-box.tsx";

/** Whether subscribers get a mail of it, and how many there are. */
export function NotifyBox({ checked, onChange }: { checked: boolean; onChange: (checked: boolean) => void }) {
  const { data } = useQuery(subscriberCountsQuery);
  return <CheckBox label="Mail it to subscribers" hint={hintOf(data)} checked={checked} onChange={onChange} />;
}

function hintOf(data: { mail: boolean; counts: { confirmed: number } } | undefined): string {
  if (data === undefined) return "Those who chose components hear of these only.";
  if (!data.mail) return "There is no mail server, so nobody gets one.";
  if (data.counts.confirmed === 0) return "There are none yet.";
  return `${countOf(data.counts.confirmed, "subscriber")}; those who chose components hear of these only.`;
}

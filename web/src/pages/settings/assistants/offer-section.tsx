import { ChevronRight } from "lucide-react";
import { Section } from "../../../ui/section.tsx";

interface Offer {
  name: string;
  title: string;
  description: string;
  /** Changes something. */
  writes?: boolean;
}

/** What an assistant finds, each with what is said of it to the model. */
export function OfferSection({ title, offers }: { title: string; offers: readonly Offer[] }) {
  if (offers.length === 0) return null;
  return (
    <Section title={title} aside={String(offers.length)}>
      <ul aria-label={title}>
        {offers.map(({ name, title: what, description, writes = false }) => (
          <li key={name} className="border-b border-line">
            <details className="group">
              <summary className="grid min-h-9 cursor-pointer list-none grid-cols-[14px_minmax(0,1fr)] items-center gap-x-3 py-1.5 hover:bg-hover md:grid-cols-[14px_15rem_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
                <ChevronRight size={14} aria-hidden className="text-ink-3 group-open:rotate-90" />
                <span>{what}</span> <code className="font-mono text-xs text-ink-2 max-md:col-start-2">{name}</code>{" "}
                {writes && <span className="text-xs text-ink-2 max-md:col-start-2">needs alerts:write</span>}
              </summary>
              <p className="max-w-[72ch] pt-0.5 pb-3 pl-[26px] text-ink-2">{description}</p>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The product's mark. */
export function Compass({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} fill="none" aria-hidden className="shrink-0">
      <circle cx="10" cy="10" r="8.2" stroke="currentColor" strokeWidth="1.5" />
      <path d="M10 3.6l2.3 6.4H7.7z" fill="currentColor" />
      <path d="M10 16.4L7.7 10h4.6z" stroke="currentColor" strokeWidth="1.1" strokeLinejoin="round" />
    </svg>
  );
}

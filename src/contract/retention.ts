/** How long the server keeps what has ended or happened, in days. Source: contract, sections 1 to 4, 8 and 16. */
export const KEPT_DAYS = {
  removedContainers: 30,
  transitions: 90,
  inactiveEndpoints: 30,
  endpointChecks: 30,
  heartbeatPings: 30,
  pauses: 90,
  certificateChecks: 400,
  clusterEvents: 30,
  updateComparisons: 90,
  componentDays: 90,
  webhookDeliveries: 7,
  auditRecords: 400,
} as const;

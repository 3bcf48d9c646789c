/** The flags that a company needs to issue live; one that is left out stays unchanged. */
export type CompanyFlags = {
  readonly mandateApproved?: boolean | undefined;
  readonly onboardingFinished?: boolean | undefined;
  /** Belongs to the account and therefore applies to all its companies. */
  readonly subscriptionActive?: boolean | undefined;
};

/** What must be up before a company may issue live; what is left out stays as it is. */
export type CompanyFlags = {
  readonly mandateApproved?: boolean | undefined;
  readonly onboardingFinished?: boolean | undefined;
  /** Of the account, and so of all its companies. */
  readonly subscriptionActive?: boolean | undefined;
};

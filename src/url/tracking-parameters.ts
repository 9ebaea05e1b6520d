/**
 * Parameters that tell where a click came from and never what the page shows. Only names that one system has to itself
 * are listed: `ref`, `source` or `campaign` select content on too many sites. Lower case; compared without regard to case.
 */
export const trackingParameters: readonly string[] = [
  // Google Ads, Analytics, Merchant Center
  'gclid',
  'gclsrc',
  'dclid',
  'gbraid',
  'wbraid',
  'gad_source',
  'gad_campaignid',
  'srsltid',
  '_ga',
  '_gl',
  // Other advertising networks and social sites
  'fbclid',
  'msclkid',
  'yclid',
  'ysclid',
  'twclid',
  'ttclid',
  'li_fat_id',
  'igshid',
  'igsh',
  'epik',
  'irclickid',
  'zanpid',
  'rb_clickid',
  'wickedid',
  's_kwcid',
  'ef_id',
  '_openstat',
  // Mail and marketing systems
  'mc_cid',
  'mc_eid',
  'mkt_tok',
  '_hsenc',
  '_hsmi',
  '__hstc',
  '__hssc',
  '__hsfp',
  'hsctatracking',
  'vero_id',
  'vero_conv',
  'oly_anon_id',
  'oly_enc_id',
  'elqtrackid',
  'elqtrack',
  'trk_contact',
  'trk_msg',
  'trk_module',
  'trk_sid',
  'dm_i',
  '_kx',
  // Web statistics
  'pk_campaign',
  'pk_kwd',
  'pk_keyword',
  'pk_source',
  'pk_medium',
  'pk_content',
  'pk_cid',
  'piwik_campaign',
  'piwik_kwd',
  'mtm_campaign',
  'mtm_keyword',
  'mtm_source',
  'mtm_medium',
  'mtm_content',
  'mtm_cid',
  'mtm_group',
  'mtm_placement',
  'xtor',
  'guce_referrer',
  'guce_referrer_sig',
  'guccounter',
];

/** Whole families of names. */
export const trackingPrefixes: readonly string[] = ['utm_'];

const names: ReadonlySet<string> = new Set(trackingParameters);

export function isTrackingParameter(name: string): boolean {
  const lower = name.toLowerCase();
  return names.has(lower) || trackingPrefixes.some((prefix) => lower.startsWith(prefix));
}

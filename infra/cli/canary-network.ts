import {
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  type EC2Client,
  type IpPermission,
} from '@aws-sdk/client-ec2';
import ipaddr from 'ipaddr.js';
import type { Settings } from '#infra/stage/settings.ts';

/**
 * Says why the canary cannot be deployed, or cannot call, with this security group. Lambda refuses a group that is in
 * another VPC than the subnets.
 *
 * @throws when the group is not in this account and region
 */
export async function securityGroupFault(
  ec2: EC2Client,
  { subnets, securityGroup }: NonNullable<Settings['canary']>,
): Promise<string | undefined> {
  const { SecurityGroups: [group] = [] } = await ec2.send(
    new DescribeSecurityGroupsCommand({ GroupIds: [securityGroup] }),
  );
  const { Subnets = [] } = await ec2.send(new DescribeSubnetsCommand({ SubnetIds: subnets }));
  const elsewhere = Subnets.find(({ VpcId }) => VpcId !== group?.VpcId);
  if (elsewhere !== undefined)
    return `it is of ${group?.VpcId}, and the subnet ${elsewhere.SubnetId} of ${elsewhere.VpcId}: Lambda refuses the function`;
  const letsOut = (group?.IpPermissionsEgress ?? []).some((rule) => isOfHttps(rule) && leadsOut(rule));
  return letsOut ? undefined : `no rule of it lets TCP ${HTTPS} out to the internet`;
}

function isOfHttps({ IpProtocol, FromPort = 0, ToPort = 0 }: IpPermission): boolean {
  return IpProtocol === '-1' || (IpProtocol === 'tcp' && FromPort <= HTTPS && HTTPS <= ToPort);
}

/** True if a rule reaches public addresses, as the domains and AWS have: not only private networks or other groups. */
function leadsOut({ IpRanges = [], PrefixListIds = [] }: IpPermission): boolean {
  const isPublic = (cidr = '') => ipaddr.isValidCIDR(cidr) && ipaddr.parseCIDR(cidr)[0].range() !== 'private';
  return PrefixListIds.length > 0 || IpRanges.some(({ CidrIp }) => isPublic(CidrIp));
}

const HTTPS = 443;

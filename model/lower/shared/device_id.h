#ifndef PALLASITE_MODEL_LOWER_SHARED_DEVICE_ID_H_
#define PALLASITE_MODEL_LOWER_SHARED_DEVICE_ID_H_

#include <vector>

#include "model/config/kernel_config.h"
#include "model/errors/check.h"

namespace pallasite {

// The device id of a peer ref becomes a number.
bool LowerDeviceId(const PeerView& peer, const KernelConfig& config, bool lane,
                   const Location& at, Checker& checker);

// A TMA descriptor is written on the host, which has to compute the device id
// again to find the memory of a peer.
bool ReplayDeviceId(const PeerView& peer, const KernelConfig& config,
                    const Location& at, Checker& checker);

void AppendDeviceIdRules(RuleList& rules);

}  // namespace pallasite

#endif  // PALLASITE_MODEL_LOWER_SHARED_DEVICE_ID_H_

// Times under several levels of memory congestion at once.
//
// How long a transfer takes depends on how busy the memory is, and how busy it is depends on how
// long the run takes. So each core is timed for a few stretch factors of its transfers side by
// side; the factor that fits the traffic of all cores is found afterwards, between the lanes.
#pragma once

#include <algorithm>
#include <cmath>

namespace npu::machine {

constexpr int kLaneCount = 4;
constexpr double kLaneStretch[kLaneCount] = {1.0, 1.3, 2.0, 4.0};

struct Lanes {
  double at[kLaneCount] = {};

  static Lanes all(double value) { return {{value, value, value, value}}; }
  static Lanes stretched(double value) {
    Lanes lanes;
    for (int i = 0; i < kLaneCount; ++i) lanes.at[i] = value * kLaneStretch[i];
    return lanes;
  }
  Lanes& operator+=(const Lanes& other) {
    for (int i = 0; i < kLaneCount; ++i) at[i] += other.at[i];
    return *this;
  }
  Lanes& operator*=(double factor) {
    for (double& value : at) value *= factor;
    return *this;
  }
  friend Lanes operator+(Lanes left, const Lanes& right) { return left += right; }
  friend Lanes operator-(Lanes left, const Lanes& right) {
    for (int i = 0; i < kLaneCount; ++i) left.at[i] -= right.at[i];
    return left;
  }
  friend Lanes operator*(Lanes left, double factor) { return left *= factor; }
};

inline Lanes max(Lanes left, const Lanes& right) {
  for (int i = 0; i < kLaneCount; ++i) left.at[i] = std::max(left.at[i], right.at[i]);
  return left;
}

// The value at a stretch factor of 1 or more: linear between the lanes and beyond the last.
inline double value_at(const Lanes& lanes, double stretch) {
  int high = 1;
  while (high < kLaneCount - 1 && kLaneStretch[high] < stretch) ++high;
  const double share = (stretch - kLaneStretch[high - 1]) /
                       (kLaneStretch[high] - kLaneStretch[high - 1]);
  return lanes.at[high - 1] + share * (lanes.at[high] - lanes.at[high - 1]);
}

// How much longer transfers take while the memory is busy for a share `load` of the time: queues
// grow as the share nears one. The power sets how suddenly.
inline double stretch_under(double load, double power) {
  const double bounded = std::min(load, 0.9999);
  return std::pow(1.0 - std::pow(bounded, power), -1.0 / power);
}

}  // namespace npu::machine

#pragma once

#include "core/data/data_source.h"

namespace stagecoach {

// Fashion-MNIST (Xiao, Rasul, Vollgraf, 2017): 70,000 grey images of clothes in
// 10 classes, as the four files it is published in (`fashion_mnist`).
const DataSourceType& FashionMnistSource();

}  // namespace stagecoach
